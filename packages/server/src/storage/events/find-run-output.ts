import { boolean, orNull, text } from "../columns.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

const MAX_BYTES = 65_536;

const FIND_RUN_OUTPUT = statement({
  name: "find-run-output",
  text: `SELECT CASE WHEN octet_length(output::text) <= ${MAX_BYTES} THEN output::text END AS output,
            coalesce(octet_length(output::text) > ${MAX_BYTES}, false) AS "isTooLarge"
       FROM run_results WHERE organization_id = $1 AND run_id = $2`,
  columns: { output: orNull(text), isTooLarge: boolean },
});

/** What a run returned as JSON, for those it is told to; without the text where it is larger than 64 KB. */
export interface ToldOutput {
  readonly output: string | null;
  readonly isTooLarge: boolean;
}

/** Undefined where there is none, or none any more. */
export async function findRunOutput(
  db: Db,
  organizationId: string,
  runId: string,
): Promise<ToldOutput | undefined> {
  const { rows } = await db.query(FIND_RUN_OUTPUT([organizationId, runId]));
  return rows[0];
}
