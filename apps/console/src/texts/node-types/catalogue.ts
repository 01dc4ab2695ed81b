import catalogue from "@millrace/contract/schemas/node-types.json" with { type: "json" };

/** Everything that the catalogue of node types says to people, each sentence once. */
export const catalogueSentences: readonly string[] = [
  ...new Set(
    catalogue.flatMap(({ summary, inputs, output }) => [summary, ...descriptionsIn(inputs), output]),
  ),
];

/** Every `description` of a schema, wherever it stands. */
function descriptionsIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) =>
    key === "description" && typeof part === "string" ? [part] : descriptionsIn(part),
  );
}
