import { runStatuses } from "@millrace/contract/run-status";
import { oneOf, text, timestamp } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";

const columns = {
  id: text,
  flowId: text,
  status: oneOf(...runStatuses),
  updatedAt: timestamp,
};
const STATE = `r.id, r.flow_id AS "flowId", r.status, r.updated_at AS "updatedAt"`;
const NAMED = `SELECT ${STATE} FROM unnest($2::text[]) AS asked(id)
       CROSS JOIN LATERAL (SELECT * FROM runs WHERE organization_id = $1 AND id = asked.id LIMIT 1) r`;

const FIND_RUN_STATES = statement({ name: "find-run-states", text: NAMED, columns });

export type RunStateRow = Row<typeof FIND_RUN_STATES>;

export async function findRunStates(
  db: Db,
  organizationId: string,
  ids: readonly string[],
): Promise<RunStateRow[]> {
  return (await db.query(FIND_RUN_STATES([organizationId, ids]))).rows;
}

const MAX_NEW = 2_000;
const MAX_OPEN = 1_000;

// What changed is in no index, which every run would pay for: what may have changed is looked at instead.
const LIST_RUN_STATES = statement({
  name: "list-run-states",
  text: `(SELECT ${STATE} FROM runs r WHERE r.organization_id = $1 AND r.id >= $3 ORDER BY r.id LIMIT ${MAX_NEW})
     UNION ALL
     (SELECT ${STATE} FROM runs r WHERE r.organization_id = $1 AND r.holds_slot LIMIT ${MAX_OPEN})
     UNION ALL
     ${NAMED}`,
  columns,
});

/** Runs made since an id, those that hold a slot, and those that are named; some of them may come twice. */
export async function listRunStates(
  db: Db,
  organizationId: string,
  ids: readonly string[],
  sinceId: string,
): Promise<{ rows: RunStateRow[]; isAll: boolean }> {
  const { rows } = await db.query(LIST_RUN_STATES([organizationId, ids, sinceId]));
  return { rows, isAll: rows.length < MAX_NEW || rows[MAX_NEW - 1]!.id < rows[MAX_NEW - 2]!.id };
}

const LIST_OPEN_RUNS = statement({
  text: ["EXECUTING", "PAUSED", "WAITING"]
    .map(
      (status) => `(SELECT ${STATE} FROM runs r WHERE r.organization_id = $1 AND r.status = '${status}'
       ORDER BY r.id DESC LIMIT ${MAX_OPEN / 2})`,
    )
    .join(" UNION ALL "),
  columns,
});

/** Of each status the newest. */
export async function listOpenRuns(db: Db, organizationId: string): Promise<RunStateRow[]> {
  return (await db.query(LIST_OPEN_RUNS([organizationId]))).rows;
}
