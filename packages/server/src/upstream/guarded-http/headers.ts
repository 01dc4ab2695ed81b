import type { HttpCredential } from "./guarded-http.ts";

/** Belong to the connection, and are ours to set. */
const connectionHeaders = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "http2-settings",
  "keep-alive",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);
const secretHeader = /authorization|cookie|idempotency-key|token|secret|api-?key|password|signature/;

export function requestHeaders(
  given: Readonly<Record<string, string>>,
  credential: HttpCredential | undefined,
): Record<string, string> {
  const headers: Record<string, string> = {
    "user-agent": "millrace",
    "accept-encoding": "gzip, deflate, br",
  };
  for (const [name, value] of Object.entries(given)) {
    if (!connectionHeaders.has(name.toLowerCase())) headers[name.toLowerCase()] = value;
  }
  if (credential) headers[credential.header.name.toLowerCase()] = credential.header.value;
  return headers;
}

/** What another origin must not see: the credential, and whatever looks like one. */
export function withoutSecrets(
  headers: Readonly<Record<string, string>>,
  credential: HttpCredential | undefined,
): Record<string, string> {
  const credentialHeader = credential?.header.name.toLowerCase();
  const kept = Object.entries(headers).filter(
    ([name]) => name !== credentialHeader && !secretHeader.test(name),
  );
  return Object.fromEntries(kept);
}

export function withoutBodyHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith("content-")));
}
