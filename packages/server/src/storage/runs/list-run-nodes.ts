import type { RunNodeRecord } from "../../domain/run-record.ts";
import type { Db } from "../pool.ts";

/** What the nodes of a run did, by time: those with a checkpoint of their own and those kept with the result. */
export async function listRunNodes(db: Db, organizationId: string, runId: string): Promise<RunNodeRecord[]> {
  const { rows } = await db.query<{ record: RunNodeRecord }>(
    `SELECT record FROM run_nodes WHERE organization_id = $1 AND run_id = $2
     UNION ALL
     SELECT kept.record
       FROM run_results o CROSS JOIN LATERAL json_array_elements(o.nodes) AS kept(record)
      WHERE o.organization_id = $1 AND o.run_id = $2`,
    [organizationId, runId],
  );
  const byKey = new Map(rows.map(({ record }) => [record.nodeKey, record]));
  return [...byKey.values()].sort(
    (one, other) => one.startedAt - other.startedAt || one.endedAt - other.endedAt,
  );
}
