import { jobActions } from "@millrace/contract/manage/jobs";
import { boolean, json, oneOf, orNull, text } from "../columns.ts";
import type { Db } from "../pool.ts";
import { NOW } from "../runs/ending.ts";
import { type Row, statement } from "../statement.ts";
import type { JobRunState } from "./find-job.ts";

/** Short, because two at once would do nothing twice; a process that is gone should not hold a job up. */
const LEASE = `${NOW} + interval '3 seconds'`;

const CLAIM_JOB = statement({
  text: `UPDATE jobs j SET process_id = $1, lease_until = ${LEASE}, updated_at = ${NOW}
      WHERE (j.organization_id, j.id) = (
        SELECT k.organization_id, k.id FROM jobs k JOIN organizations o ON o.id = k.organization_id
         WHERE k.status = 'running' AND NOT o.suspended AND (k.lease_until IS NULL OR k.lease_until < ${NOW} OR k.process_id = $1)
         ORDER BY k.updated_at LIMIT 1 FOR UPDATE OF k SKIP LOCKED)
     RETURNING j.organization_id AS "organizationId", j.id, j.action, j.fork`,
  columns: {
    organizationId: text,
    id: text,
    action: oneOf(...jobActions),
    fork: orNull(json<object>()),
  },
});

export type ClaimedJob = Row<typeof CLAIM_JOB>;

/** A job that nobody works on, the one that has waited longest; others leave it alone for as long as it is renewed. */
export async function claimJob(db: Db, processId: string): Promise<ClaimedJob | undefined> {
  const { rows } = await db.query(CLAIM_JOB([processId]));
  return rows[0];
}

export interface JobRunOutcome {
  readonly runId: string;
  readonly state: Exclude<JobRunState, "pending">;
  readonly newRunId?: string;
  readonly message?: string;
}

const NOTE_OUTCOMES = statement({
  text: `WITH noted AS (
       UPDATE job_runs x SET state = a.state, new_run_id = a.new_run_id, message = a.message
         FROM unnest($4::text[], $5::text[], $6::text[], $7::text[]) AS a(run_id, state, new_run_id, message)
        WHERE x.organization_id = $1 AND x.job_id = $2 AND x.run_id = a.run_id AND x.state = 'pending'
     )
     UPDATE jobs j SET updated_at = ${NOW}, lease_until = ${LEASE}
      WHERE j.organization_id = $1 AND j.id = $2 AND j.status = 'running' AND j.process_id = $3
     RETURNING true AS "goesOn"`,
  columns: { goesOn: boolean },
});

/** Writes down what became of some runs, and renews the claim; false where the job was stopped, or is another process's now. */
export async function noteOutcomes(
  db: Db,
  { organizationId, id }: ClaimedJob,
  processId: string,
  outcomes: readonly JobRunOutcome[],
): Promise<boolean> {
  const { rows } = await db.query(
    NOTE_OUTCOMES([
      organizationId,
      id,
      processId,
      outcomes.map(({ runId }) => runId),
      outcomes.map(({ state }) => state),
      outcomes.map(({ newRunId }) => newRunId ?? null),
      outcomes.map(({ message }) => message ?? null),
    ]),
  );
  return rows.length > 0;
}

const LEAVE_JOB = statement({
  text: `UPDATE jobs j SET process_id = NULL, lease_until = NULL, updated_at = ${NOW},
            status = CASE WHEN p.is_left THEN 'running' ELSE 'completed' END, completed_at = CASE WHEN p.is_left THEN NULL ELSE ${NOW} END
       FROM (SELECT EXISTS (SELECT FROM job_runs x WHERE x.organization_id = $1 AND x.job_id = $2 AND x.state = 'pending') AS is_left) p
      WHERE j.organization_id = $1 AND j.id = $2 AND j.status = 'running' AND j.process_id = $3`,
});

/** Whoever comes next may go on; where nothing is left to do the job is completed. */
export async function leaveJob(db: Db, { organizationId, id }: ClaimedJob, processId: string): Promise<void> {
  await db.query(LEAVE_JOB([organizationId, id, processId]));
}

const STOP_JOB = statement({
  text: `UPDATE jobs SET status = 'stopped', reason = $3, process_id = NULL, lease_until = NULL, updated_at = ${NOW}
      WHERE organization_id = $1 AND id = $2 AND status = 'running'`,
});

/** Nothing of it begins any more; what is under way is brought to its end. True where it was running. */
export async function stopJob(
  db: Db,
  organizationId: string,
  jobId: string,
  reason?: string,
): Promise<boolean> {
  return (await db.query(STOP_JOB([organizationId, jobId, reason ?? null]))).rowCount === 1;
}

const RESUME_JOB = statement({
  text: `UPDATE jobs SET status = 'running', reason = NULL, updated_at = ${NOW}
      WHERE organization_id = $1 AND id = $2 AND status = 'stopped'`,
});

export async function resumeJob(db: Db, organizationId: string, jobId: string): Promise<boolean> {
  return (await db.query(RESUME_JOB([organizationId, jobId]))).rowCount === 1;
}

const DELETE_OLD_JOBS = statement({
  text: `WITH old AS (
       SELECT organization_id, id FROM jobs WHERE status <> 'running' AND updated_at < ${NOW} - interval '30 days' LIMIT 20 FOR UPDATE SKIP LOCKED
     ), runs AS (
       DELETE FROM job_runs x USING old o WHERE x.organization_id = o.organization_id AND x.job_id = o.id
     )
     DELETE FROM jobs j USING old o WHERE j.organization_id = o.organization_id AND j.id = o.id`,
});

/** Forgets jobs that ended a month ago. */
export async function deleteOldJobs(db: Db): Promise<void> {
  await db.query(DELETE_OLD_JOBS());
}
