import type { Db } from "../pool.ts";

export interface StoredAnswer {
  readonly nodeKey: string;
  readonly nodeId: string;
  readonly kind: "wait" | "approval" | "run-flow";
  readonly answer: Readonly<Record<string, unknown>>;
  readonly createdAt: Date;
  readonly answeredAt: Date;
}

/** What earlier epochs of a run have left: records of nodes, and answers to what it waited for. */
export async function loadCheckpoints<NodeRecord>(
  db: Db,
  organizationId: string,
  runId: string,
): Promise<{ records: NodeRecord[]; answers: StoredAnswer[] }> {
  const { rows } = await db.query(
    `SELECT (SELECT coalesce(json_agg(n.record), '[]') FROM run_nodes n WHERE n.organization_id = $1 AND n.run_id = $2) AS records,
            (SELECT coalesce(json_agg(json_build_object(
                      'nodeKey', w.node_key, 'nodeId', w.node_id, 'kind', w.kind, 'answer', w.answer,
                      'createdAt', w.created_at, 'answeredAt', w.answered_at)), '[]')
               FROM run_waits w WHERE w.organization_id = $1 AND w.run_id = $2 AND w.answered_at IS NOT NULL) AS answers`,
    [organizationId, runId],
  );
  const [row] = rows;
  return {
    records: row.records,
    answers: row.answers.map((answer: { createdAt: string; answeredAt: string }) => ({
      ...answer,
      createdAt: new Date(answer.createdAt),
      answeredAt: new Date(answer.answeredAt),
    })),
  };
}
