import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";
import { NOW } from "./ending.ts";

export interface Withdrawal {
  readonly organizationId: string;
  readonly runId: string;
  readonly epoch: number;
  readonly waits: readonly { readonly nodeKey: string; readonly attempt: number }[];
  /** The time of the node is over: that is its answer. What is only left behind is forgotten. */
  readonly isTimedOut: boolean;
}

/** `change` is an UPDATE or DELETE of `run_waits w`, up to its FROM or USING. */
function withdrawStatement(change: string) {
  return statement({
    text: `WITH fence AS (
       SELECT r.organization_id, r.id FROM runs r
        WHERE r.organization_id = $1 AND r.id = $2 AND r.epoch = $3 AND r.status = 'EXECUTING' FOR SHARE
     ), withdrawn AS (
       ${change} fence f, unnest($4::text[], $5::integer[]) AS a(node_key, attempt)
        WHERE w.organization_id = f.organization_id AND w.run_id = f.id AND w.node_key = a.node_key AND w.attempt = a.attempt
          AND w.answered_at IS NULL
       RETURNING w.organization_id, w.child_run_id
     )
     INSERT INTO run_cancellations (organization_id, run_id)
     SELECT organization_id, child_run_id FROM withdrawn WHERE child_run_id IS NOT NULL ON CONFLICT DO NOTHING`,
  });
}

const TIME_OUT_WAITS = withdrawStatement(
  `UPDATE run_waits w SET answered_at = ${NOW}, answer = '{"timedOut":true}' FROM`,
);
const DELETE_WAITS = withdrawStatement(`DELETE FROM run_waits w USING`);

/** Nobody waits for these any more; their children are to be canceled. What has been answered stays. */
export async function withdrawWaits(
  db: Db,
  { organizationId, runId, epoch, waits, isTimedOut }: Withdrawal,
): Promise<void> {
  const withdraw = isTimedOut ? TIME_OUT_WAITS : DELETE_WAITS;
  await db.query(
    withdraw([
      organizationId,
      runId,
      epoch,
      waits.map(({ nodeKey }) => nodeKey),
      waits.map(({ attempt }) => attempt),
    ]),
  );
}
