import pino, { type Logger } from "pino";
import pretty from "pino-pretty";

export type { Logger } from "pino";

export interface LoggerOptions {
  readonly level: string;
  readonly format: "auto" | "pretty" | "json";
  readonly terminal: boolean;
  /** Instead of the standard output. */
  readonly stream?: { write(line: string): void };
}

/** What may stand in a log line. Anything else is dropped, so that no key, token or body can slip in. */
const ALLOWED = new Set([
  "requestId",
  "route",
  "status",
  "durationMs",
  "role",
  "address",
  "port",
  "signal",
  "duty",
  "organizationId",
  "flowId",
  "runId",
  "traceId",
  "spanId",
  "nodeId",
  "agentId",
  "sessionId",
  "endpointId",
  "eventId",
  "count",
  "version",
  "migrations",
  "pid",
  "attempt",
  "err",
  "code",
]);

export function createLogger({ level, format, terminal, stream }: LoggerOptions): Logger {
  const options: pino.LoggerOptions = {
    level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
    formatters: { level: (label) => ({ level: label }), log: keepAllowed },
  };
  const asPretty = format === "pretty" || (format === "auto" && terminal);
  if (!asPretty) return stream ? pino(options, stream) : pino(options);
  return pino(
    options,
    pretty({ ignore: "pid", translateTime: "SYS:HH:MM:ss", sync: true, destination: stream }),
  );
}

function keepAllowed(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => ALLOWED.has(name)));
}

/** Name, code, stack of our own frames; never the properties libraries hang on their errors (queries, URLs, bodies). */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack } = error;
  return { name, code: (error as { code?: string }).code, message, stack };
}
