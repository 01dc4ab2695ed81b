/**
 * How Node runs the service. Where there is much memory, new objects would fill over 100 MB before anybody looks which of
 * them are still in use; this takes less memory and, because more of it stays in the processor's caches, no more time.
 */
export const NODE_ARGS = ["--max-semi-space-size=32"];

/** What the operator says comes last, and counts. */
export function nodeArgs({ NODE_OPTIONS = "" }, given = process.execArgv) {
  return NODE_OPTIONS.includes("semi-space") ? [...given] : [...NODE_ARGS, ...given];
}
