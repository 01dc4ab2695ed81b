import type { RunNodeRecord } from "../../domain/run-record.ts";
import type { Db } from "../pool.ts";
import { isUndecodable, RECORD_HEAD } from "./record-head.ts";

const maxNodes = 5_000;
const maxCharacters = 5_000_000;

export interface RunNodes {
  readonly nodes: readonly RunNodeRecord[];
  /** How many there are in all. */
  readonly total: number;
}

/**
 * What the nodes of a run did, by time: those with a checkpoint of their own and those kept with the result. A run may
 * have a hundred thousand nodes and a hundred megabytes of values: the list ends somewhere, and inputs and outputs are
 * left out where all before them are large enough together.
 */
export async function listRunNodes(db: Db, organizationId: string, runId: string): Promise<RunNodes> {
  try {
    return await list(db, { organizationId, runId, leftOver: LEFT_OVER });
  } catch (error) {
    if (!isUndecodable(error)) throw error;
    // Somewhere in a record whose values are left out stands a text that PostgreSQL cannot take apart.
    return list(db, { organizationId, runId, leftOver: "'log', '[]'::json" });
  }
}

/** What is shown beside the head where values are left out. */
const LEFT_OVER = `'handle', record -> 'handle', 'error', record -> 'error', 'log', record -> 'log'`;

async function list(
  db: Db,
  { organizationId, runId, leftOver }: { organizationId: string; runId: string; leftOver: string },
): Promise<RunNodes> {
  const { rows } = await db.query<{ record: RunNodeRecord; total: number }>(
    `WITH records AS (
       SELECT record FROM run_nodes WHERE organization_id = $1 AND run_id = $2
       UNION ALL
       SELECT kept.record FROM run_results o CROSS JOIN LATERAL json_array_elements(o.nodes) AS kept(record)
        WHERE o.organization_id = $1 AND o.run_id = $2
     ), of_nodes AS (
       SELECT DISTINCT ON (head ->> 'nodeKey') record, head, head ->> 'nodeKey' AS node_key,
              (head ->> 'startedAt')::float8 AS started_at, (head ->> 'endedAt')::float8 AS ended_at
         FROM records CROSS JOIN LATERAL (SELECT ${RECORD_HEAD} AS head) AS read ORDER BY head ->> 'nodeKey'
     ), by_time AS (
       SELECT record, head, count(*) OVER () AS total, row_number() OVER in_time AS place,
              sum(octet_length(record::text)) OVER in_time AS characters
         FROM of_nodes WINDOW in_time AS (ORDER BY started_at, ended_at, node_key)
     )
     SELECT CASE WHEN characters <= $3 THEN record
                 ELSE json_strip_nulls(json_build_object(
                   'nodeKey', head -> 'nodeKey', 'nodeId', head -> 'nodeId', 'type', head -> 'type', 'status', head -> 'status',
                   'startedAt', head -> 'startedAt', 'endedAt', head -> 'endedAt',
                   'attempts', substring(record::text FROM ',"attempts":(\\d+)')::integer, ${leftOver}, 'valuesLeftOut', true)) END AS record,
            total::integer AS total
       FROM by_time WHERE place <= $4 ORDER BY place`,
    [organizationId, runId, maxCharacters, maxNodes],
  );
  return { nodes: rows.map(({ record }) => record), total: rows[0]?.total ?? 0 };
}
