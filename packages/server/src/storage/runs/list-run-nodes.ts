import type { RunNodeRecord } from "../../domain/run-record.ts";
import { assumed, integer, json } from "../columns.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";
import { isUndecodable, RECORD_HEAD } from "./record-head.ts";

const maxNodes = 5_000;
const maxCharacters = 5_000_000;

export interface RunNodes {
  readonly nodes: readonly RunNodeRecord[];
  /** How many there are in all. */
  readonly total: number;
}

/** `leftOver` is what is shown beside the head where values are left out. */
function listStatement(leftOver: string) {
  return statement({
    text: `WITH records AS (
       SELECT record, 1 AS place FROM run_nodes WHERE organization_id = $1 AND run_id = $2
       UNION ALL
       SELECT kept.record, 0 FROM run_results o CROSS JOIN LATERAL json_array_elements(o.nodes) AS kept(record)
        WHERE o.organization_id = $1 AND o.run_id = $2
     ), of_nodes AS (
       SELECT DISTINCT ON (head ->> 'nodeKey') record, head, head ->> 'nodeKey' AS node_key,
              (head ->> 'startedAt')::float8 AS started_at, (head ->> 'endedAt')::float8 AS ended_at
         FROM records CROSS JOIN LATERAL (SELECT ${RECORD_HEAD} AS head) AS read
        -- What came with the end of the run is later than what was known of a node on the way.
        ORDER BY head ->> 'nodeKey', place
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
    columns: { record: assumed(json<RunNodeRecord>()), total: integer },
  });
}

const LIST_RUN_NODES = listStatement(
  `'handle', record -> 'handle', 'error', record -> 'error', 'log', record -> 'log'`,
);
const LIST_WITHOUT_LOGS = listStatement(`'log', '[]'::json`);

/**
 * What the nodes of a run did, by time: those with a checkpoint of their own and those kept with the result. A run may
 * have a hundred thousand nodes and a hundred megabytes of values: the list ends somewhere, and inputs and outputs are
 * left out where all before them are large enough together.
 */
export async function listRunNodes(db: Db, organizationId: string, runId: string): Promise<RunNodes> {
  try {
    return await list(db, LIST_RUN_NODES, [organizationId, runId]);
  } catch (error) {
    if (!isUndecodable(error)) throw error;
    // Somewhere in a record whose values are left out stands a text that PostgreSQL cannot take apart.
    return list(db, LIST_WITHOUT_LOGS, [organizationId, runId]);
  }
}

async function list(
  db: Db,
  statement: typeof LIST_RUN_NODES,
  run: readonly [organizationId: string, runId: string],
): Promise<RunNodes> {
  const { rows } = await db.query(statement([...run, maxCharacters, maxNodes]));
  return { nodes: rows.map(({ record }) => record), total: rows[0]?.total ?? 0 };
}
