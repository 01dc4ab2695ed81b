import { assumed, integer } from "../columns.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

const MAX_BATCHES = 2_000;

const PLACE_EVENTS = statement({
  name: "place-events",
  text: `SELECT place_events($1) AS placed`,
  columns: { placed: assumed(integer) },
});

/** Gives newly committed events their place in the log; the number of batches that got one. */
export async function placeEvents(db: Db): Promise<number> {
  const { rows } = await db.query(PLACE_EVENTS([MAX_BATCHES]));
  return rows[0]!.placed;
}
