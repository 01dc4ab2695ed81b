import type { Db } from "../pool.ts";
import type { WaitKind, WaitState } from "./begin-waits.ts";

/** What a node waits for, or waited for. */
export interface StoredWait extends WaitState {
  readonly nodeKey: string;
  readonly attempt: number;
  readonly kind: WaitKind;
}

type Row<NodeRecord> = { readonly record: NodeRecord | null } & StoredWait;

/**
 * What earlier epochs of a run have left: records of nodes, and what nodes wait or waited for. In one statement, so
 * that both are of one moment, and a row each, so that no more than one large value is read at once.
 */
export async function loadCheckpoints<NodeRecord>(
  db: Db,
  organizationId: string,
  runId: string,
): Promise<{ records: NodeRecord[]; waits: StoredWait[] }> {
  const { rows } = await db.query<Row<NodeRecord>>(
    `SELECT record, NULL AS "nodeKey", NULL::integer AS attempt, NULL AS kind, NULL::json AS answer, NULL::timestamptz AS "startedAt",
            NULL::timestamptz AS "dueAt", NULL::timestamptz AS "expiresAt", NULL::timestamptz AS "answeredAt"
       FROM run_nodes WHERE organization_id = $1 AND run_id = $2
     UNION ALL
     SELECT NULL, w.node_key, w.attempt, w.kind, w.answer, w.created_at, w.due_at, w.expires_at, w.answered_at
       FROM run_waits w WHERE w.organization_id = $1 AND w.run_id = $2`,
    [organizationId, runId],
  );
  const records = rows.flatMap(({ record }) => (record === null ? [] : [record]));
  const waits = rows.flatMap(({ record, ...wait }) => (record === null ? [wait] : []));
  return { records, waits };
}
