import type { FlowGraph } from "@millrace/contract/documents/graph";
import { inDocumentOrder } from "../key-order.ts";
import type { Db } from "../pool.ts";

export async function findFlowGraph(
  db: Db,
  organizationId: string,
  flowId: string,
  version: string,
): Promise<FlowGraph | undefined> {
  const { rows } = await db.query(
    `SELECT ${inDocumentOrder("graph")} FROM flow_versions WHERE organization_id = $1 AND flow_id = $2 AND version = $3`,
    [organizationId, flowId, version],
  );
  return rows[0]?.graph;
}
