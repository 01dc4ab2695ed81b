import { boolean, integer, json, oneOf, orNull, text, timestamp } from "../columns.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";
import { type StoredWaitKind, storedWaitKinds, type WaitState } from "./begin-waits.ts";

/** What a node waits for, or waited for. */
export interface StoredWait extends WaitState {
  readonly nodeKey: string;
  readonly attempt: number;
  readonly kind: StoredWaitKind;
  readonly isNotified: boolean;
}

const LOAD_CHECKPOINTS = statement({
  text: `SELECT record, epoch = 0 AS "isCopied", NULL AS "nodeKey", NULL::integer AS attempt, NULL AS kind, NULL::json AS answer, NULL::timestamptz AS "startedAt",
            NULL::timestamptz AS "dueAt", NULL::timestamptz AS "expiresAt", NULL::timestamptz AS "answeredAt", NULL::boolean AS "isNotified",
            NULL::timestamptz AS "runStartedAt"
       FROM run_nodes WHERE organization_id = $1 AND run_id = $2
     UNION ALL
     SELECT NULL, NULL, w.node_key, w.attempt, w.kind, w.answer, w.created_at, w.due_at, w.expires_at, w.answered_at, w.notified_at IS NOT NULL, NULL
       FROM run_waits w WHERE w.organization_id = $1 AND w.run_id = $2
     UNION ALL
     SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, r.started_at
       FROM runs r WHERE r.organization_id = $1 AND r.id = $2`,
  // A row has a record, or what is known of a wait, or when the run was started first.
  columns: {
    record: orNull(json<unknown>()),
    isCopied: orNull(boolean),
    nodeKey: orNull(text),
    attempt: orNull(integer),
    kind: orNull(oneOf(...storedWaitKinds)),
    answer: orNull(json<Readonly<Record<string, unknown>>>()),
    startedAt: orNull(timestamp),
    dueAt: orNull(timestamp),
    expiresAt: orNull(timestamp),
    answeredAt: orNull(timestamp),
    isNotified: orNull(boolean),
    runStartedAt: orNull(timestamp),
  },
});

/**
 * What earlier epochs of a run have left: records of nodes, and what nodes wait or waited for. In one statement, so
 * that both are of one moment, and a row each, so that no more than one large value is read at once. `copied` are those
 * of the run that this one was forked from.
 */
export async function loadCheckpoints<NodeRecord>(
  db: Db,
  organizationId: string,
  runId: string,
): Promise<{
  records: NodeRecord[];
  copied: ReadonlySet<NodeRecord>;
  waits: StoredWait[];
  startedAtMs: number | undefined;
}> {
  const { rows } = await db.query(LOAD_CHECKPOINTS([organizationId, runId]));
  const records = rows.flatMap(({ record }) => (record === null ? [] : [record as NodeRecord]));
  const copied = new Set(rows.flatMap(({ record, isCopied }) => (isCopied ? [record as NodeRecord] : [])));
  const waits = rows.flatMap(({ record, runStartedAt, ...wait }) =>
    record === null && runStartedAt === null ? [wait as unknown as StoredWait] : [],
  );
  const start = rows.find(({ runStartedAt }) => runStartedAt !== null);
  return { records, copied, waits, startedAtMs: start?.runStartedAt?.getTime() };
}
