/** An answer as the output of the node that waited for it. */
export function withoutNulls(answer: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(answer).filter(([, value]) => value !== null));
}
