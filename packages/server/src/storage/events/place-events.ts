import type { Db } from "../pool.ts";

const MAX_BATCHES = 2_000;

/** Gives newly committed events their place in the log; the number of batches that got one. */
export async function placeEvents(db: Db): Promise<number> {
  const { rows } = await db.query({
    name: "place-events",
    text: `SELECT place_events($1) AS placed`,
    values: [MAX_BATCHES],
  });
  return rows[0].placed;
}
