import type { RunNodeRecord } from "../../domain/run-record.ts";
import { assumed, json } from "../columns.ts";
import type { Db } from "../pool.ts";
import { isUndecodable, RECORD_HEAD } from "../runs/record-head.ts";
import { statement } from "../statement.ts";

const MAX_CHARACTERS = 5_000_000;

const READ_CHOSEN_RECORDS = statement({
  text: `WITH records AS (
       SELECT record, node_key, 1 AS place FROM run_nodes WHERE organization_id = $1 AND run_id = $2 AND node_key = ANY($3)
       UNION ALL
       SELECT kept.record, read.head ->> 'nodeKey', 0
         FROM run_results o CROSS JOIN LATERAL json_array_elements(o.nodes) AS kept(record)
         CROSS JOIN LATERAL (SELECT ${RECORD_HEAD} AS head) AS read
        WHERE o.organization_id = $1 AND o.run_id = $2 AND read.head ->> 'nodeKey' = ANY($3)
     ), of_nodes AS (
       -- What came with the end of the run is later than what was known of a node on the way.
       SELECT DISTINCT ON (node_key) record, node_key FROM records ORDER BY node_key, place
     )
     SELECT record FROM (
       SELECT record, sum(octet_length(record::text)) OVER (ORDER BY node_key) AS characters FROM of_nodes) AS measured
      WHERE characters <= ${MAX_CHARACTERS}`,
  columns: { record: assumed(json<RunNodeRecord>()) },
});

/** The records of these nodes, as far as they are 5 MB together. What PostgreSQL cannot read is not shown. */
export async function readChosenRecords(
  db: Db,
  { organizationId, runId }: { readonly organizationId: string; readonly runId: string },
  nodeKeys: readonly string[],
): Promise<readonly RunNodeRecord[]> {
  if (nodeKeys.length === 0) return [];
  try {
    const { rows } = await db.query(READ_CHOSEN_RECORDS([organizationId, runId, nodeKeys]));
    return rows.map(({ record }) => record);
  } catch (error) {
    if (isUndecodable(error)) return [];
    throw error;
  }
}
