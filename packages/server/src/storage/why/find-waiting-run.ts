import { runStatuses, type RunStatus, type WaitKind } from "@millrace/contract/run-status";
import { boolean, integer, json, oneOf, orNull, smallint, text, timestamp } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";

/** What a node of the run waits for, approvals first, then the oldest. */
export interface OpenWait {
  readonly nodeKey: string;
  readonly kind: WaitKind;
  readonly message?: string;
  /** Who may answer an approval, where it names them. */
  readonly assignees?: readonly string[];
  readonly since: string;
  readonly until?: string;
  readonly child?: {
    readonly runId: string;
    readonly flowId: string;
    readonly status: RunStatus;
    readonly since: string;
  };
}

const MAX_WAITS = 100;
const LEASE = `interval '15 seconds'`;

const FIND_WAITING_RUN = statement({
  name: "find-waiting-run",
  text: `SELECT r.id, r.organization_id AS "organizationId", r.flow_id AS "flowId", r.version, r.status, r.stage, r.priority,
            r.attempt, r.max_attempts AS "maxAttempts", r.due_at AS "dueAt", r.updated_at AS "updatedAt",
            r.claimed_at AS "claimedAt", r.completed_at AS "completedAt", o.suspended,
            o.concurrency_limit AS "concurrencyLimit", f.active AS "isFlowActive",
            EXISTS (SELECT FROM processes p WHERE p.role <> 'api' AND p.heartbeat_at > millrace_now() - ${LEASE}) AS "hasWorker",
            EXISTS (SELECT FROM processes p WHERE p.id = r.process_id AND p.heartbeat_at > millrace_now() - ${LEASE}) AS "isHeld",
            coalesce(w.waits, '[]') AS waits, millrace_now() AS now
       FROM runs r
       JOIN organizations o ON o.id = r.organization_id
       LEFT JOIN flows f ON f.organization_id = r.organization_id AND f.id = r.flow_id AND f.deleted_at IS NULL
       LEFT JOIN LATERAL (
         SELECT json_agg(wait) AS waits FROM (
           SELECT json_strip_nulls(json_build_object('nodeKey', w.node_key, 'kind', w.kind, 'message', w.message,
                    'assignees', w.details->'assignees', 'since', iso(w.created_at),
                    'until', iso(w.due_at), 'child', CASE WHEN c.id IS NOT NULL THEN json_build_object('runId', c.id, 'flowId', c.flow_id,
                      'status', c.status, 'since', iso(w.created_at)) END)) AS wait
             FROM run_waits w
             LEFT JOIN runs c ON c.organization_id = w.organization_id AND c.id = w.child_run_id
            WHERE w.organization_id = r.organization_id AND w.run_id = r.id AND w.answered_at IS NULL AND w.kind <> 'container'
              AND r.status = 'PAUSED'
            ORDER BY w.kind <> 'approval', w.created_at, w.node_key LIMIT ${MAX_WAITS}
         ) AS open
       ) w ON true
      WHERE r.organization_id = ANY($1) AND r.id = $2`,
  columns: {
    id: text,
    organizationId: text,
    flowId: text,
    version: text,
    status: oneOf(...runStatuses),
    stage: oneOf("delayed", "queued", "admitted"),
    priority: smallint,
    attempt: integer,
    maxAttempts: integer,
    dueAt: orNull(timestamp),
    updatedAt: timestamp,
    claimedAt: orNull(timestamp),
    completedAt: orNull(timestamp),
    suspended: boolean,
    concurrencyLimit: integer,
    /** NULL: the flow was deleted. */
    isFlowActive: orNull(boolean),
    /** Some process executes runs. */
    hasWorker: boolean,
    /** The process that executes this one is alive. */
    isHeld: boolean,
    waits: json<readonly OpenWait[]>(),
    now: timestamp,
  },
});

export type WaitingRun = Row<typeof FIND_WAITING_RUN>;

/** A run of one of these organizations with all that could hold it up, whatever its status. */
export async function findWaitingRun(
  db: Db,
  organizationIds: readonly string[],
  runId: string,
): Promise<WaitingRun | undefined> {
  const { rows } = await db.query(FIND_WAITING_RUN([organizationIds, runId]));
  return rows[0];
}
