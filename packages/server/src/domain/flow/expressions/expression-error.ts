/** An expression that cannot be read or evaluated; the text is written for the flow's author. */
export class ExpressionError extends Error {
  override readonly name = "ExpressionError";
}
