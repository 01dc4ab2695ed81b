import type { PageRequest } from "../../domain/cursor.ts";
import { oneOf, orNull, text } from "../columns.ts";
import { keysetList } from "../keyset.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";
import { JOB, type JobRecord } from "./job-columns.ts";

const FIND_JOB = statement({
  text: `SELECT ${JOB.select} FROM jobs j WHERE j.organization_id = ANY($1) AND j.id = $2`,
  columns: JOB.columns,
});

export async function findJob(
  db: Db,
  organizationIds: readonly string[],
  jobId: string,
): Promise<JobRecord | undefined> {
  const { rows } = await db.query(FIND_JOB([organizationIds, jobId]));
  return rows[0];
}

const LIST_JOBS = keysetList({
  text: `SELECT ${JOB.select} FROM jobs j WHERE j.organization_id = $1`,
  columns: JOB.columns,
});

export async function listJobs(db: Db, organizationId: string, page: PageRequest): Promise<JobRecord[]> {
  const { rows } = await db.query(LIST_JOBS(organizationId, page));
  return rows;
}

const jobRunStates = ["pending", "done", "skipped", "failed"] as const;
export type JobRunState = (typeof jobRunStates)[number];

const LIST_JOB_RUNS = statement({
  text: `SELECT run_id AS "runId", state, new_run_id AS "newRunId", message FROM job_runs
      WHERE organization_id = $1 AND job_id = $2 AND ($3::text IS NULL OR state = $3) AND ($4::text IS NULL OR run_id > $4)
      ORDER BY run_id LIMIT $5`,
  columns: {
    runId: text,
    state: oneOf(...jobRunStates),
    newRunId: orNull(text),
    message: orNull(text),
  },
});

export type JobRunRecord = Row<typeof LIST_JOB_RUNS>;

/** What became of its runs, by run id, behind `after`. */
export async function listJobRuns(
  db: Db,
  { organizationId, id }: { readonly organizationId: string; readonly id: string },
  { state, after, size }: { state?: JobRunState | undefined; after?: string | undefined; size: number },
): Promise<JobRunRecord[]> {
  const { rows } = await db.query(LIST_JOB_RUNS([organizationId, id, state ?? null, after ?? null, size]));
  return rows;
}
