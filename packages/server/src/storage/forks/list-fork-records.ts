import { runStatuses } from "@millrace/contract/run-status";
import type { ForkRecord } from "../../domain/fork/plan-fork.ts";
import { assumed, boolean, float, integer, oneOf, orNull, text } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";
import { RECORD_HEAD } from "../runs/record-head.ts";

const LIST_FORK_RECORDS = statement({
  text: `SELECT r.node_key AS "nodeKey", head ->> 'nodeId' AS "nodeId", head ->> 'type' AS type, head ->> 'status' AS status,
            CASE WHEN head ->> 'status' = 'FAILED' THEN record ->> 'handle' IS NOT NULL ELSE false END AS "isHandled",
            CASE WHEN head ->> 'type' = 'for-each' THEN coalesce(record -> 'input' ->> 'onItemError' = 'continue', false) ELSE false END AS "goesOn"
       FROM run_records($1, $2) r CROSS JOIN LATERAL (SELECT ${RECORD_HEAD} AS head) AS read`,
  columns: {
    nodeKey: assumed(text),
    nodeId: assumed(text),
    type: assumed(text),
    status: assumed(text),
    isHandled: boolean,
    goesOn: boolean,
  },
});

/** What a fork has to know of the records of a run; values stay where they are. */
export async function listForkRecords(db: Db, organizationId: string, runId: string): Promise<ForkRecord[]> {
  const { rows } = await db.query(LIST_FORK_RECORDS([organizationId, runId]));
  return rows;
}

const LIST_BEGUN_RUNS = statement({
  text: `SELECT DISTINCT ON (w.node_key) w.node_key AS "nodeKey", w.attempt, c.id AS "runId", c.status, w.on_parent_end AS "onParentEnd",
            coalesce(w.answer ->> 'status' = 'WAITING', false) AS "isLeft"
       FROM run_waits w JOIN runs c ON c.organization_id = w.organization_id AND c.id = w.child_run_id
      WHERE w.organization_id = $1 AND w.run_id = $2 AND w.kind = 'run-flow' ORDER BY w.node_key, w.attempt DESC`,
  columns: {
    nodeKey: text,
    attempt: integer,
    runId: text,
    status: oneOf(...runStatuses),
    onParentEnd: oneOf("cancel", "leave"),
    /** Nobody waited for it. */
    isLeft: boolean,
  },
});

export type BegunRun = Row<typeof LIST_BEGUN_RUNS>;

/** The last run that each node has begun and that is still known. */
export async function listBegunRuns(db: Db, organizationId: string, runId: string): Promise<BegunRun[]> {
  const { rows } = await db.query(LIST_BEGUN_RUNS([organizationId, runId]));
  return rows;
}

const FIND_FORK_HANDLES = statement({
  text: `SELECT r.node_key AS "nodeKey", record ->> 'handle' AS handle, (head ->> 'startedAt')::float8 AS "startedAt",
            (head ->> 'endedAt')::float8 AS "endedAt"
       FROM run_records($1, $2) r CROSS JOIN LATERAL (SELECT ${RECORD_HEAD} AS head) AS read
      WHERE r.node_key = ANY($3) AND head ->> 'status' = 'COMPLETED'`,
  columns: {
    nodeKey: assumed(text),
    handle: orNull(text),
    startedAt: assumed(float),
    endedAt: assumed(float),
  },
});

export type EndedNode = Row<typeof FIND_FORK_HANDLES>;

/** Which way nodes were left, and when, of those that completed. */
export async function findEndedNodes(
  db: Db,
  { organizationId, id }: { readonly organizationId: string; readonly id: string },
  nodeKeys: readonly string[],
): Promise<ReadonlyMap<string, EndedNode>> {
  if (nodeKeys.length === 0) return new Map();
  const { rows } = await db.query(FIND_FORK_HANDLES([organizationId, id, nodeKeys]));
  return new Map(rows.map((row) => [row.nodeKey, row]));
}
