/** Rate windows that limit nothing: what API processes tell `doctor` about their callers. */
export const CALLER_PREFIX = "caller:";
/** Requests whose X-Forwarded-For was not believed. */
export const UNHEEDED_KEY = "forwarding-unheeded";

export function callerKey(network: string): string {
  return `${CALLER_PREFIX}${network}`;
}
