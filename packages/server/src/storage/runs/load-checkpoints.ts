import type { Db } from "../pool.ts";

export interface StoredAnswer {
  readonly nodeKey: string;
  readonly nodeId: string;
  readonly kind: "wait" | "approval" | "run-flow";
  readonly answer: Readonly<Record<string, unknown>>;
  readonly createdAt: Date;
  readonly answeredAt: Date;
}

type Row<NodeRecord> = { readonly record: NodeRecord | null } & StoredAnswer;

/**
 * What earlier epochs of a run have left: records of nodes, and answers to what it waited for. In one statement, so that
 * both are of one moment, and a row each, so that no more than one large value is read at once.
 */
export async function loadCheckpoints<NodeRecord>(
  db: Db,
  organizationId: string,
  runId: string,
): Promise<{ records: NodeRecord[]; answers: StoredAnswer[] }> {
  const { rows } = await db.query<Row<NodeRecord>>(
    `SELECT record, NULL AS "nodeKey", NULL AS "nodeId", NULL AS kind, NULL::json AS answer,
            NULL::timestamptz AS "createdAt", NULL::timestamptz AS "answeredAt"
       FROM run_nodes WHERE organization_id = $1 AND run_id = $2
     UNION ALL
     SELECT NULL, node_key, node_id, kind, answer, created_at, answered_at
       FROM run_waits WHERE organization_id = $1 AND run_id = $2 AND answered_at IS NOT NULL`,
    [organizationId, runId],
  );
  const records = rows.flatMap(({ record }) => (record === null ? [] : [record]));
  const answers = rows.flatMap(({ record, ...answer }) => (record === null ? [answer] : []));
  return { records, answers };
}
