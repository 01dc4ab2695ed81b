import type { VariableValues } from "@millrace/contract/documents/variables";
import { json, orNull } from "../columns.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

const FIND_RUN_VARIABLES = statement({
  name: "find-run-variables",
  text: `SELECT v."values" FROM runs r
       LEFT JOIN organization_variables v ON v.organization_id = r.organization_id AND v.version = r.variables_version
      WHERE r.organization_id = $1 AND r.id = $2`,
  columns: { values: orNull(json<VariableValues>()) },
});

/** The organization's variables as they were when the run was made. */
export async function findRunVariables(
  db: Db,
  organizationId: string,
  runId: string,
): Promise<VariableValues> {
  const { rows } = await db.query(FIND_RUN_VARIABLES([organizationId, runId]));
  return rows[0]?.values ?? {};
}
