import type { FlowSettings } from "@millrace/contract/documents/flow";
import { json, orNull } from "../columns.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

const FIND_FLOW_SETTINGS = statement({
  text: `SELECT settings FROM flow_versions WHERE organization_id = $1 AND flow_id = $2 AND version = $3`,
  columns: { settings: orNull(json<FlowSettings>()) },
});

/** What a version says beside its graph, without reading the graph. */
export async function findFlowSettings(
  db: Db,
  organizationId: string,
  flowId: string,
  version: string,
): Promise<FlowSettings> {
  const { rows } = await db.query(FIND_FLOW_SETTINGS([organizationId, flowId, version]));
  return rows[0]?.settings ?? {};
}
