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
