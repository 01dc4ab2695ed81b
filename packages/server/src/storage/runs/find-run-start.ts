import { orNull, timestamp } from "../columns.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

const FIND_RUN_START = statement({
  name: "find-run-start",
  text: `SELECT started_at AS "startedAt" FROM runs WHERE organization_id = $1 AND id = $2`,
  columns: { startedAt: orNull(timestamp) },
});

/** When a run was started for the first time. */
export async function findRunStart(
  db: Db,
  organizationId: string,
  runId: string,
): Promise<number | undefined> {
  const { rows } = await db.query(FIND_RUN_START([organizationId, runId]));
  return rows[0]?.startedAt?.getTime();
}
