import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

const DELETE_FLOW_TEST = statement({
  text: `DELETE FROM flow_tests WHERE organization_id = $1 AND flow_id = $2 AND id = $3`,
});

/** False: there is no such test. */
export async function deleteFlowTest(
  db: Db,
  organizationId: string,
  flowId: string,
  id: string,
): Promise<boolean> {
  const { rowCount } = await db.query(DELETE_FLOW_TEST([organizationId, flowId, id]));
  return rowCount !== 0;
}
