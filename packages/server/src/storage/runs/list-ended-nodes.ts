import type { Db } from "../pool.ts";

export interface EndedNode {
  readonly runId: string;
  readonly nodeKey: string;
  readonly nodeId: string;
  readonly type: string;
  readonly status: "COMPLETED" | "FAILED";
}

/** The nodes of these runs that have ended, by time, without those that are known by `runId nodeKey` already. */
export async function listEndedNodes(
  db: Db,
  runs: readonly { readonly organizationId: string; readonly id: string }[],
  known: readonly string[],
): Promise<EndedNode[]> {
  const { rows } = await db.query<EndedNode>(
    `SELECT "runId", node_key AS "nodeKey", record ->> 'nodeId' AS "nodeId", record ->> 'type' AS type,
            record ->> 'status' AS status
       FROM unnest($1::text[], $2::text[]) AS asked(organization_id, "runId")
       CROSS JOIN LATERAL (
         SELECT node_key, record FROM run_nodes
          WHERE organization_id = asked.organization_id AND run_id = asked."runId"
         UNION ALL
         SELECT kept.record ->> 'nodeKey', kept.record
           FROM run_results CROSS JOIN LATERAL json_array_elements(nodes) AS kept(record)
          WHERE organization_id = asked.organization_id AND run_id = asked."runId"
       ) AS ended
      WHERE NOT ("runId" || ' ' || node_key) = ANY($3::text[])
      ORDER BY (record ->> 'endedAt')::float8`,
    [runs.map((run) => run.organizationId), runs.map((run) => run.id), known],
  );
  return rows;
}
