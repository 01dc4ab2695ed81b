import { runStatuses } from "@millrace/contract/run-status";
import { oneOf, text } from "../columns.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

const FIND_RUN_OWNER = statement({
  text: `SELECT organization_id AS "organizationId", status FROM runs WHERE organization_id = ANY($1) AND id = $2`,
  columns: { organizationId: text, status: oneOf(...runStatuses) },
});

/** Which of these organizations has the run, and how it stands. */
export async function findRunOwner(
  db: Db,
  organizationIds: readonly string[],
  runId: string,
): Promise<{ organizationId: string; status: string } | undefined> {
  const { rows } = await db.query(FIND_RUN_OWNER([organizationIds, runId]));
  return rows[0];
}
