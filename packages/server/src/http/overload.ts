import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { errorCatalogue } from "@millrace/contract/errors.ts";
import { toLocale } from "@millrace/contract/locales.ts";

/** What the process has in hand, and whether that is more than it can do in time. */
export interface Workload {
  readonly overloaded: boolean;
  begin(): void;
  end(): void;
}

/** Operators need these most when there is too much to do. */
export const ALWAYS_ANSWERED: ReadonlySet<string> = new Set(["/healthz", "/readyz", "/metrics"]);

/**
 * Turns requests away before anything is done for them: nothing is routed, no key is looked up and no body is read,
 * because under three times the load two of three answers are this one.
 */
export function refuseOverload(
  handle: RequestListener,
  options: { workload: Workload; makeRequestId: () => string; onRefused: () => void },
): RequestListener {
  return (request, response) => {
    if (!options.workload.overloaded || ALWAYS_ANSWERED.has(request.url ?? "")) {
      handle(request, response);
      return;
    }
    options.onRefused();
    refuse(request, response, options.makeRequestId());
  };
}

function refuse(request: IncomingMessage, response: ServerResponse, requestId: string): void {
  const { status, error, message } = errorCatalogue.service_unavailable;
  const locale = toLocale(rawHeader(request, "x-locale"));
  const body = JSON.stringify({
    success: false,
    error: error[locale],
    message: message[locale],
    code: "service_unavailable",
  });
  response.writeHead(status, [
    "content-type",
    "application/json; charset=utf-8",
    "content-length",
    String(Buffer.byteLength(body)),
    "retry-after",
    "1",
    "x-request-id",
    requestId,
  ]);
  response.end(body);
}

/** From the list as it came: making the object of all headers costs more than the rest of the answer. */
function rawHeader({ rawHeaders }: IncomingMessage, name: string): string | undefined {
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]!.toLowerCase() === name) return rawHeaders[at + 1];
  }
  return undefined;
}
