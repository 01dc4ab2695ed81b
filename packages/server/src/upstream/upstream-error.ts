/**
 * A failure of something outside the service, in words for the flow's author. Name and text are chosen here: errors of
 * the libraries carry addresses, keys, prompts and answers and are never passed on.
 */
export class UpstreamError extends Error {
  override readonly name: string;
  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

/** The one that a library has wrapped into an error of its own. */
export function findUpstreamError(error: unknown): UpstreamError | undefined {
  let current = error;
  for (let depth = 0; depth < 8 && current instanceof Error; depth += 1) {
    if (current instanceof UpstreamError) return current;
    current = current.cause;
  }
  return undefined;
}
