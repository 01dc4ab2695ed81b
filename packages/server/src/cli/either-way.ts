import type { MillraceClient } from "@millrace/client";
import type { Command } from "commander";
import { addCommand, type CliDependencies, UsageError } from "./cli.ts";
import { resolveService } from "./resolve-service.ts";
import { type ServiceFlags, withService } from "./service-client.ts";

/** A command that manages a service: over HTTP, or on the database itself where that is said. */
export function addManageCommand(parent: Command, usage: string, summary: string, example: string): Command {
  return addCommand(parent, usage, summary, example)
    .option("--url <address>", "over HTTP, at this address (default: MILLRACE_URL or a profile)")
    .option("--key <key>", "API key for that (default: MILLRACE_API_KEY, which is safer)")
    .option("--profile <name>", "over HTTP, to this service of: millrace profiles list");
}

/**
 * Over HTTP where a service is named, or where one runs on the data directory; it then says which. On the database itself
 * where somebody has said so: by --database, or by DATABASE_URL.
 */
export async function eitherWay<Service, Database>(
  dependencies: CliDependencies,
  flags: ServiceFlags,
  ways: {
    readonly service: (client: MillraceClient) => Promise<Service>;
    readonly database: () => Promise<Database>;
  },
): Promise<Service | Database> {
  if (await goesToService(dependencies, flags)) return withService(dependencies, flags, ways.service);
  return ways.database();
}

async function goesToService(
  { env, isDatabaseMeant }: CliDependencies,
  flags: ServiceFlags,
): Promise<boolean> {
  if (flags.url ?? flags.profile ?? (env["MILLRACE_URL"] || env["MILLRACE_PROFILE"])) return true;
  if (isDatabaseMeant() || env["DATABASE_URL"]) return false;
  const { baseUrl, apiKey, found } = await resolveService({ env }, flags);
  if (found === undefined)
    throw new Error(
      `No service was found. Start one with "millrace start", name one with --url, MILLRACE_URL or a profile, or say --database to work on the database itself.`,
    );
  if (apiKey === undefined)
    throw new UsageError(
      `The service at ${baseUrl} (${found}) needs an API key: set MILLRACE_API_KEY, or say --database to work on its database itself.`,
    );
  return true;
}

/** As the API takes a time: `90m`, `12h`. */
export function timeText(ms: number): string {
  return ms % 3_600_000 === 0 ? `${ms / 3_600_000}h` : `${Math.ceil(ms / 60_000)}m`;
}
