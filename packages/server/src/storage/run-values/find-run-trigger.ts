import { integer, orNull, text } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";

const FIND_RUN_TRIGGER = statement({
  text: `SELECT p.trigger::text AS trigger, p.data::text AS data, p.inputs::text AS inputs, r.variables_version AS "variablesVersion"
       FROM runs r LEFT JOIN run_payloads p ON p.organization_id = r.organization_id AND p.run_id = r.id
      WHERE r.organization_id = $1 AND r.id = $2`,
  columns: {
    trigger: orNull(text),
    data: orNull(text),
    inputs: orNull(text),
    /** Of the organization's variables, as the run sees them. */
    variablesVersion: orNull(integer),
  },
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
