import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { errorCatalogue } from "@millrace/contract/errors";
import { type Locale, locales, toLocale } from "@millrace/contract/locales";

/** What the process has in hand, and whether it can take more and still answer in time. */
export interface Workload {
  takesMore(): boolean;
  begin(): void;
  end(): void;
}

/** Operators need these most when there is too much to do. */
export const ALWAYS_ANSWERED: ReadonlySet<string> = new Set(["/healthz", "/readyz", "/metrics"]);

const { status: STATUS, error, message } = errorCatalogue.service_unavailable;
const BODIES = Object.fromEntries(
  locales.map((locale) => {
    const body = {
      success: false,
      error: error[locale],
      message: message[locale],
      code: "service_unavailable",
    };
    const text = JSON.stringify(body);
    return [locale, { text, length: String(Buffer.byteLength(text)) }];
  }),
) as Record<Locale, { readonly text: string; readonly length: string }>;

/**
 * Turns requests away before anything is done for them: nothing is routed, no key is looked up and no body is read,
 * because under three times the load two of three answers are this one.
 */
export function refuseOverload(
  handle: RequestListener,
  options: { workload: Workload; makeRequestId: () => string; onRefused: () => void },
): RequestListener {
  return (request, response) => {
    if (ALWAYS_ANSWERED.has(request.url ?? "") || options.workload.takesMore()) {
      handle(request, response);
      return;
    }
    options.onRefused();
    refuse(request, response, options.makeRequestId());
  };
}

function refuse(request: IncomingMessage, response: ServerResponse, requestId: string): void {
  const body = BODIES[toLocale(rawHeader(request, "x-locale"))];
  response.writeHead(STATUS, [
    "content-type",
    "application/json; charset=utf-8",
    "content-length",
    body.length,
    "retry-after",
    "1",
    "x-request-id",
    requestId,
  ]);
  // As a text it goes out in one write with the head, which is half of the work.
  response.end(body.text);
}

/** From the list as it came: making the object of all headers costs more than the rest of the answer. */
function rawHeader({ rawHeaders }: IncomingMessage, name: string): string | undefined {
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]!.toLowerCase() === name) return rawHeaders[at + 1];
  }
  return undefined;
}
