import { wellFormed } from "./well-formed.ts";

/** The request as the start node sees it. */
export interface WebhookEnvelope {
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  readonly method: "POST";
}

const MAX_HEADER_BYTES = 16 * 1024;
/** Credentials of the sender, and what proxies on the way have added. */
const STRIPPED = new Set(["authorization", "cookie", "x-api-key", "forwarded", "x-real-ip", "via"]);
const STRIPPED_FAMILIES = ["proxy-", "x-forwarded-"];
const PROTOTYPE_NAMES = new Set(["__proto__", "constructor", "prototype"]);

export function webhookEnvelope(request: {
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly query: unknown;
}): WebhookEnvelope {
  return {
    body: request.body,
    headers: safeHeaders(request.headers),
    query: safeQuery(request.query),
    method: "POST",
  };
}

function safeHeaders(
  given: Readonly<Record<string, string | readonly string[] | undefined>>,
): Record<string, string> {
  const headers: Record<string, string> = {};
  let bytes = 0;
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || PROTOTYPE_NAMES.has(name) || STRIPPED.has(name)) continue;
    if (STRIPPED_FAMILIES.some((family) => name.startsWith(family))) continue;
    const text = wellFormed(typeof value === "string" ? value : value.join(", "));
    bytes += name.length + Buffer.byteLength(text);
    if (bytes > MAX_HEADER_BYTES) break;
    headers[name] = text;
  }
  return headers;
}

function safeQuery(given: unknown): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries((given ?? {}) as Record<string, string | string[]>)) {
    if (PROTOTYPE_NAMES.has(name)) continue;
    query[wellFormed(name)] = Array.isArray(value) ? value.map(wellFormed) : wellFormed(value);
  }
  return query;
}
