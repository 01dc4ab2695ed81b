import { bigint, integer, json, orNull, text } from "../columns.ts";
import type { Db } from "../pool.ts";
import { isUndecodable, RECORD_HEAD } from "../runs/record-head.ts";
import { type Row, statement } from "../statement.ts";

// The newest by heads alone; only that one is taken apart.
const FIND_LAST_FAILURE = statement({
  text: `WITH last AS MATERIALIZED (
       SELECT n.node_key, h.head FROM run_nodes n CROSS JOIN LATERAL (SELECT ${RECORD_HEAD} AS head) AS h
        WHERE n.organization_id = $1 AND n.run_id = $2 AND h.head->>'status' = $3
        ORDER BY (h.head->>'endedAt')::float8 DESC LIMIT 1
     )
     SELECT l.node_key AS "nodeKey", l.head->>'nodeId' AS "nodeId", (l.head->>'endedAt')::float8::bigint AS "endedAtMs",
            (n.record->>'attempts')::integer AS attempts, n.record->'error' AS error
       FROM last l JOIN run_nodes n ON n.organization_id = $1 AND n.run_id = $2 AND n.node_key = l.node_key`,
  columns: {
    nodeKey: text,
    nodeId: orNull(text),
    endedAtMs: orNull(bigint),
    attempts: orNull(integer),
    error: orNull(json<{ readonly name: string; readonly message: string }>()),
  },
});

export type LastFailure = Row<typeof FIND_LAST_FAILURE>;

/**
 * The node that failed last: `FAILED` where the run is tried again, `EXECUTING` where the node itself is. A record that
 * PostgreSQL cannot read tells nothing.
 */
export async function findLastFailure(
  db: Db,
  { organizationId, id }: { organizationId: string; id: string },
  status: "FAILED" | "EXECUTING",
): Promise<LastFailure | undefined> {
  try {
    const { rows } = await db.query(FIND_LAST_FAILURE([organizationId, id, status]));
    return rows[0]?.error ? rows[0] : undefined;
  } catch (error) {
    if (isUndecodable(error)) return undefined;
    throw error;
  }
}
