/** Whether an endpoint asked for this type: by name, by family (`run.*`) or for everything. */
export function matchesEvent(patterns: readonly string[], type: string): boolean {
  return patterns.some(
    (pattern) => pattern === "*" || pattern === type || pattern === `${type.split(".")[0]}.*`,
  );
}
