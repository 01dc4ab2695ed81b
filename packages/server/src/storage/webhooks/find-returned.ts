import { runStatuses } from "@millrace/contract/run-status";
import { json, oneOf, orNull, text } from "../columns.ts";
import type { Db } from "../pool.ts";
import { isUndecodable } from "../runs/record-head.ts";
import { type Row, statement } from "../statement.ts";

/** What the record of `return` says beside the value. */
interface ReturnRecord {
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>> | null;
  /** Of the value as JSON has it; null where none was given. */
  readonly type: "object" | "array" | "string" | "number" | "boolean" | "null" | null;
}

// The one that ended the run is never checkpointed: it stands among the records of the result.
const FIND_RETURNED = statement({
  text: `SELECT r.status, o.output::text AS output, n.returned
       FROM runs r
       LEFT JOIN run_results o ON o.organization_id = r.organization_id AND o.run_id = r.id
       LEFT JOIN LATERAL (
         SELECT json_build_object('status', e.node->'input'->'status', 'headers', e.node->'input'->'headers',
                                  'type', json_typeof(e.node->'input'->'value')) AS returned
           FROM json_array_elements(o.nodes) AS e(node)
          WHERE e.node->>'type' = 'return' AND e.node->>'status' = 'COMPLETED' LIMIT 1
       ) n ON r.status = 'COMPLETED'
      WHERE r.organization_id = $1 AND r.id = $2`,
  columns: {
    status: oneOf(...runStatuses),
    output: orNull(text),
    returned: orNull(json<ReturnRecord>()),
  },
});

export type Returned = Row<typeof FIND_RETURNED>;

/** What the flow returned, and how; undefined where the run is gone, or where its records cannot be read. */
export async function findReturned(
  db: Db,
  organizationId: string,
  runId: string,
): Promise<Returned | undefined> {
  try {
    const { rows } = await db.query(FIND_RETURNED([organizationId, runId]));
    return rows[0];
  } catch (error) {
    if (isUndecodable(error)) return undefined;
    throw error;
  }
}
