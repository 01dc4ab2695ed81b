/** Failed connections to several addresses come as one error without a text of its own. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === "") return error.errors.map(reasonOf).join(", ");
  return error instanceof Error ? error.message : String(error);
}
