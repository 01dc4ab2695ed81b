/** What putting a row did; a row that already says the same is left alone. */
export type Outcome = "created" | "updated" | "unchanged";

/** For `INSERT … ON CONFLICT DO UPDATE … WHERE it differs RETURNING xmax = 0 AS created`. */
export function outcomeOf(rows: readonly { created: boolean }[]): Outcome {
  const row = rows[0];
  if (!row) return "unchanged";
  return row.created ? "created" : "updated";
}
