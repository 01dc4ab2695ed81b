import type { Command } from "commander";
import { toConfig } from "../config/load-config.ts";
import { isLoopback } from "../domain/loopback.ts";
import { makeSignInLink } from "../operations/sessions/make-sign-in-link.ts";
import { addCommand, type CliDependencies, UsageError } from "./cli.ts";
import { findService } from "./find-service.ts";
import { openBrowser } from "./open-browser.ts";

interface Flags {
  readonly url?: string;
  readonly allowRemote?: boolean;
  readonly browser: boolean;
  readonly json?: boolean;
}

export function registerConsole(program: Command, dependencies: CliDependencies): void {
  addCommand(
    program,
    "console",
    "print a link that signs in to the web console as the first owner, and open it",
    "console",
  )
    .option("--url <address>", "address of the service (default: the one that runs here)")
    .option("--allow-remote", "also where the service listens beyond this machine")
    .option("--no-browser", "only print the link")
    .action((flags: Flags) => console(dependencies, flags));
}

async function console(dependencies: CliDependencies, flags: Flags): Promise<void> {
  const { env, stdout, withDatabase } = dependencies;
  const service = await findService(toConfig(env), flags.url ?? env["MILLRACE_URL"]);
  if (!service)
    throw new Error('No service runs here; start it with "millrace start", or name it with --url.');
  if (!isLoopback(service.host) && !flags.allowRemote) {
    throw new UsageError(
      `The service listens on ${service.host}, beyond this machine: a link would work for everybody who reads it. Use --allow-remote if that is meant.`,
    );
  }
  const link = await withDatabase("console", ({ pool }) => makeSignInLink(pool, service.address));
  if (!link)
    throw new Error("There is no owner to sign in as; apply a document of an organization with members.");
  if (flags.json) return stdout(JSON.stringify(link));
  stdout(`${link.url}\n\nIt works once, until ${link.expiresAt.toISOString()}.`);
  if (flags.browser) openBrowser(link.url, env);
}
