import { text } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";

const FIND_FORK_ORIGIN = statement({
  text: `SELECT from_run_id AS "runId", from_node_key AS "nodeKey" FROM run_forks WHERE organization_id = $1 AND run_id = $2`,
  columns: { runId: text, nodeKey: text },
});

export type ForkOrigin = Row<typeof FIND_FORK_ORIGIN>;

/** The run that a fork goes on from, and where it began. */
export async function findForkOrigin(
  db: Db,
  organizationId: string,
  runId: string,
): Promise<ForkOrigin | undefined> {
  const { rows } = await db.query(FIND_FORK_ORIGIN([organizationId, runId]));
  return rows[0];
}
