/** What a flow may say to the caller of its webhook. */
export const MAX_ANSWER_HEADERS = 32;
const MAX_VALUE_LENGTH = 4_096;

const NAME = /^[a-z0-9!#$%&'*+.^_`|~-]{1,128}$/;
const VALUE = /^[\t\x20-\x7e]*$/;

/** Names that change nothing but this one answer. */
const ALLOWED = new Set([
  "content-type",
  "content-language",
  "content-disposition",
  "last-modified",
  "etag",
  "location",
  "retry-after",
  "vary",
  "link",
  "access-control-allow-origin",
  "access-control-expose-headers",
]);

/**
 * Of those that begin with `x-`, which are a flow's own: not what the service says itself, and not what proxies in front
 * of it obey (files and addresses of their own to send instead).
 */
const REFUSED =
  /^x-(?:request-id|ratelimit-|forwarded|real-ip|accel-|sendfile|lighttpd-|litespeed-|reproxy-|proxy-|envoy-|amz|goog|azure-|millrace-|frame-options|content-type-options|xss-protection|dns-prefetch|permitted-|original-|rewrite-|http-method|method-override|varnish|cache|akamai|cdn|served|powered-by|robots-tag)/;

/** Why a flow may not send this header; undefined where it may. */
export function webhookHeaderFault(name: string, value: string): string | undefined {
  const known = name.toLowerCase();
  if (!NAME.test(known)) return "is not the name of a header";
  if (!ALLOWED.has(known) && !(known.startsWith("x-") && !REFUSED.test(known)))
    return `cannot be set by a flow; ${[...ALLOWED].join(", ")} and names of your own that begin with x- can`;
  if (value.length > MAX_VALUE_LENGTH) return `must have at most ${MAX_VALUE_LENGTH} characters`;
  return VALUE.test(value) ? undefined : "must be printable ASCII, in one line";
}
