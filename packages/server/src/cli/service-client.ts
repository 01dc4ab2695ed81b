import { isMillraceError, MillraceClient, type MillraceError } from "@millrace/client";
import type { Command } from "commander";
import { addCommand, type CliDependencies, UsageError } from "./cli.ts";
import { EXAMPLE_URL, resolveService } from "./resolve-service.ts";
import { oneLine, plain } from "./texts.ts";

export interface ServiceFlags {
  readonly url?: string;
  readonly key?: string;
  readonly profile?: string;
  readonly json?: boolean;
}

/** A command that asks a running service, over HTTP and with an API key. */
export function addServiceCommand(parent: Command, usage: string, summary: string, example: string): Command {
  return addCommand(parent, usage, summary, example)
    .option(
      "--url <address>",
      "address of the service (default: MILLRACE_URL, a profile, the service that runs here, or port PORT of this machine)",
    )
    .option("--key <key>", "API key (default: MILLRACE_API_KEY, which is safer)")
    .option("--profile <name>", "a service from: millrace profiles list (default: MILLRACE_PROFILE)");
}

/** Of one request; documents of a large workspace take their time. */
const TIMEOUT_MS = 300_000;

/** Does the work with a client of the service; what goes wrong is told in a line that says what to do. */
export async function withService<T>(
  { env, stderr }: Pick<CliDependencies, "env" | "stderr">,
  flags: ServiceFlags,
  work: (client: MillraceClient) => Promise<T>,
): Promise<T> {
  const { baseUrl, apiKey, found } = await resolveService({ env }, flags);
  if (found !== undefined) stderr(`${baseUrl} (${found})`);
  if (!URL.canParse(baseUrl)) throw new UsageError(`"${baseUrl}" is not an address such as ${EXAMPLE_URL}.`);
  if (!apiKey) {
    throw new UsageError(
      "An API key is needed: set MILLRACE_API_KEY, or make a key with: millrace keys create --org <id>",
    );
  }
  // A header could not hold it, and the fault of fetch would quote it.
  if (!/^[\x21-\x7e]+$/.test(apiKey))
    throw new UsageError("The API key contains characters that no key can have.");
  try {
    return await work(new MillraceClient({ baseUrl, apiKey, timeoutMs: TIMEOUT_MS }));
  } catch (error) {
    throw isMillraceError(error) ? new Error(textOf(error, baseUrl)) : error;
  }
}

const HINTS: Record<string, string> = {
  run_not_found: "see: millrace runs list",
  flow_not_found: "see: millrace flows list",
  queue_item_not_found: "see: millrace queue list --org <id>",
  version_not_found: "see: millrace flows versions <flowId>",
  schedule_not_found: "see: millrace schedules list",
  draft_changed: "look at it again: millrace flows diff <flowId> <version> draft",
  unauthorized: "check MILLRACE_API_KEY; see: millrace keys list",
};

function textOf(error: MillraceError, baseUrl: string): string {
  const { status, code, message } = error;
  if (code === "connection_failed" || code === "timed_out")
    return `${message}; start the service with "millrace start", or name another with --url or MILLRACE_URL`;
  if (code === "unexpected_answer")
    return `${baseUrl} does not answer like Millrace (${status || "no JSON"}); check --url or MILLRACE_URL`;
  return failureText(error);
}

interface Failure extends Pick<MillraceError, "status" | "code" | "message"> {
  readonly issues?: MillraceError["issues"];
  readonly validationErrors?: readonly string[] | undefined;
  readonly retryAfterSeconds?: number | undefined;
}

/** What went wrong, what to do about it, and each fault on a line of its own. */
export function failureText(failure: Failure): string {
  const { status, code, message, issues = [], validationErrors = [], retryAfterSeconds } = failure;
  const faults = [
    ...issues.map(({ path, message: fault }) => `${path.join(".")} ${fault}`),
    ...validationErrors,
  ];
  const hint =
    status === 429 && retryAfterSeconds !== undefined ? `try again in ${retryAfterSeconds} s` : HINTS[code];
  return [`${oneLine(message, 500)} (${status})`, ...(hint ? [hint] : [])].join("; ") + listOf(faults);
}

function listOf(faults: readonly string[]): string {
  return faults.map((fault) => `\n  ${plain(fault)}`).join("");
}
