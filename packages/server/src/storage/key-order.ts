/**
 * The value of a `jsonb` column with its keys in the order of the document, out of the `json` column beside it. A process of an
 * older release knows only the first: where it wrote last, the order is lost until the document is applied again.
 */
export function inDocumentOrder(column: string, table = ""): string {
  const [plain, ordered] = [`${table}${column}`, `${table}ordered_${column}`];
  return `CASE WHEN ${ordered}::jsonb = ${plain} THEN ${ordered} ELSE ${plain}::json END AS ${column}`;
}
