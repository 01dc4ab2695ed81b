import { orNull, text } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";

const FIND_RUN_TRIGGER = statement({
  text: `SELECT trigger::text AS trigger, data::text AS data, inputs::text AS inputs
       FROM run_payloads WHERE organization_id = $1 AND run_id = $2`,
  columns: { trigger: orNull(text), data: orNull(text), inputs: orNull(text) },
});

export type RunTriggerValues = Row<typeof FIND_RUN_TRIGGER>;

/** What a run was started with, each as the JSON that is stored. */
export async function findRunTrigger(
  db: Db,
  organizationId: string,
  runId: string,
): Promise<RunTriggerValues | undefined> {
  const { rows } = await db.query(FIND_RUN_TRIGGER([organizationId, runId]));
  return rows[0];
}
