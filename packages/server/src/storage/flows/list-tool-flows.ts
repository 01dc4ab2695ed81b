import type { FlowRecord } from "../../domain/records.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";
import { FLOW } from "./list-flows.ts";

const LIST_TOOL_FLOWS = statement({
  text: `SELECT ${FLOW.select} FROM flows
      WHERE organization_id = ANY($1) AND deleted_at IS NULL AND active AND id > $2
        AND EXISTS (SELECT FROM flow_versions v
                     WHERE v.organization_id = flows.organization_id AND v.flow_id = flows.id AND v.version = flows.version
                       AND v.settings -> 'tool' IS NOT NULL)
      ORDER BY id LIMIT $3`,
  columns: FLOW.columns,
});

/** Flows that offer themselves as tools, by id, from behind `after`. */
export async function listToolFlows(
  db: Db,
  organizationIds: readonly string[],
  after: string,
  size: number,
): Promise<FlowRecord[]> {
  const { rows } = await db.query(LIST_TOOL_FLOWS([organizationIds, after, size]));
  return rows;
}
