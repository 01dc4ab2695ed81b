import type { FlowGraph } from "@millrace/contract/documents/graph";
import { assumed, json } from "../columns.ts";
import { inDocumentOrder } from "../key-order.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

const FIND_FLOW_GRAPH = statement({
  text: `SELECT ${inDocumentOrder("graph")} FROM flow_versions WHERE organization_id = $1 AND flow_id = $2 AND version = $3`,
  columns: { graph: assumed(json<FlowGraph>()) },
});

export async function findFlowGraph(
  db: Db,
  organizationId: string,
  flowId: string,
  version: string,
): Promise<FlowGraph | undefined> {
  const { rows } = await db.query(FIND_FLOW_GRAPH([organizationId, flowId, version]));
  return rows[0]?.graph;
}
