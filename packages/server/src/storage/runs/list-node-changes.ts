import type { NodeChange } from "../../domain/node-changes.ts";
import { assumed, float, oneOf, orNull, text } from "../columns.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";
import { RECORD_HEAD } from "./record-head.ts";

export interface NodesToList {
  readonly organizationId: string;
  readonly id: string;
  /** Keys of ended nodes that nobody asks for. */
  readonly known: readonly string[];
}

/** Neither the limit of a container, nor a short wait, nor a child that nobody waits for. */
const PAUSES = `kind <> 'container' AND (kind <> 'wait' OR due_at - created_at >= interval '5 seconds')
            AND (answered_at IS NULL OR answered_at > created_at)`;

/** Of each run the last ones are told: a run may have a hundred thousand. */
const MAX_NODES = 5_000;

const LIST_NODE_CHANGES = statement({
  text: `SELECT asked.run_id AS "runId", n.*
       FROM unnest($1::text[], $2::text[]) AS asked(organization_id, run_id)
       CROSS JOIN LATERAL (
         SELECT head ->> 'nodeKey' AS "nodeKey", head ->> 'nodeId' AS "nodeId", head ->> 'type' AS type, head ->> 'status' AS status,
                (head ->> 'startedAt')::float8 AS "startedAt",
                CASE WHEN head ->> 'status' <> 'EXECUTING' THEN (head ->> 'endedAt')::float8 END AS "endedAt"
           FROM (
             SELECT record FROM run_nodes
              WHERE organization_id = asked.organization_id AND run_id = asked.run_id
                AND NOT (run_id || ' ' || node_key) = ANY($3::text[])
             UNION ALL
             SELECT kept.record FROM run_results CROSS JOIN LATERAL json_array_elements(nodes) AS kept(record)
              WHERE organization_id = asked.organization_id AND run_id = asked.run_id
           ) AS stored CROSS JOIN LATERAL (SELECT ${RECORD_HEAD} AS head) AS read
         UNION ALL
         SELECT node_key, node_id, kind, 'PAUSED', extract(epoch FROM created_at)::float8 * 1000, NULL
           FROM run_waits WHERE organization_id = asked.organization_id AND run_id = asked.run_id AND ${PAUSES}
          ORDER BY 6 DESC NULLS FIRST LIMIT $4
       ) AS n`,
  columns: {
    runId: assumed(text),
    nodeKey: assumed(text),
    nodeId: assumed(text),
    type: assumed(text),
    status: assumed(oneOf("EXECUTING", "PAUSED", "COMPLETED", "FAILED")),
    startedAt: assumed(float),
    endedAt: orNull(float),
  },
});

/** The nodes of these runs that have a record, or a wait even where it was answered. Nothing but the head of a record is looked at, whatever its values are. */
export async function listNodeChanges(
  db: Db,
  runs: readonly NodesToList[],
): Promise<(NodeChange & { readonly runId: string })[]> {
  const { rows } = await db.query(
    LIST_NODE_CHANGES([
      runs.map((run) => run.organizationId),
      runs.map((run) => run.id),
      runs.flatMap(({ id, known }) => known.map((key) => `${id} ${key}`)),
      MAX_NODES,
    ]),
  );
  return rows.map(({ endedAt, ...row }) => ({ ...row, endedAt: endedAt ?? undefined }));
}
