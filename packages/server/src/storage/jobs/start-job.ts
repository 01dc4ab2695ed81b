import type { JobAction } from "@millrace/contract/manage/jobs";
import type { RunFilters } from "../../domain/run-filters.ts";
import { boolean, integer } from "../columns.ts";
import type { Db } from "../pool.ts";
import { NOW } from "../runs/ending.ts";
import { type Row, statement } from "../statement.ts";

const MAX_RUNNING = 10;

export interface NewJob {
  readonly organizationId: string;
  readonly id: string;
  readonly action: JobAction;
  /** As it was asked for. */
  readonly filter: object;
  readonly fork: object | undefined;
  readonly createdBy: string;
  readonly runs: RunFilters;
  readonly maxRuns: number;
}

const START_JOB = statement({
  text: `WITH found AS MATERIALIZED (
       SELECT r.id FROM runs r
        WHERE r.organization_id = $1 AND r.status = ANY($7) AND ($8::text IS NULL OR r.flow_id = $8) AND ($9::text[] IS NULL OR r.tags && $9)
          AND ($10::text[] IS NULL OR r.version = ANY($10)) AND ($11::boolean IS NULL OR r.is_test = $11)
          AND ($15::text[] IS NULL OR r.trigger_source = ANY($15))
          AND ($12::text IS NULL OR r.id >= $12) AND ($13::text IS NULL OR r.id < $13)
          -- Runs of sub-flows go on with the runs that wait for them.
          AND ($3 = 'cancel' OR r.parent_run_id IS NULL)
        ORDER BY r.id LIMIT $14::integer + 1
     ), job AS (
       INSERT INTO jobs (organization_id, id, action, status, filter, fork, created_by, created_at, updated_at)
       SELECT $1, $2, $3, 'running', $4, $5, $6, ${NOW}, ${NOW}
        WHERE (SELECT count(*) FROM found) <= $14
          AND (SELECT count(*) FROM jobs k WHERE k.organization_id = $1 AND k.status = 'running') < ${MAX_RUNNING}
       RETURNING id
     ), listed AS (
       INSERT INTO job_runs (organization_id, job_id, run_id) SELECT $1, job.id, found.id FROM job CROSS JOIN found
     )
     SELECT (SELECT count(*) FROM found)::integer AS found, EXISTS (SELECT FROM job) AS "isStarted"`,
  columns: { found: integer, isStarted: boolean },
});

/** One statement: the job with the runs that match now, or nothing where these are too many, or too many jobs run. */
export async function startJob(db: Db, job: NewJob): Promise<Row<typeof START_JOB>> {
  const { organizationId, id, action, filter, fork, createdBy, runs, maxRuns } = job;
  const { rows } = await db.query(
    START_JOB([
      organizationId,
      id,
      action,
      JSON.stringify(filter),
      fork === undefined ? null : JSON.stringify(fork),
      createdBy,
      runs.statuses,
      runs.flowId ?? null,
      runs.tags ?? null,
      runs.versions ?? null,
      runs.isTest ?? null,
      runs.lowestId ?? null,
      runs.endId ?? null,
      maxRuns,
      runs.triggerSources ?? null,
    ]),
  );
  return rows[0]!;
}
