import type { JobsQuery } from "@millrace/contract/manage/jobs";
import type { Actor } from "../../domain/actor.ts";
import { type Page, toPage, toPageRequest } from "../../domain/cursor.ts";
import { organizationFor, organizationsFor, type Principal, requireRole } from "../../domain/principal.ts";
import { Refusal } from "../../domain/refusal.ts";
import {
  findJob,
  type JobRunRecord,
  type JobRunState,
  listJobRuns,
  listJobs as readJobs,
} from "../../storage/jobs/find-job.ts";
import type { JobRecord } from "../../storage/jobs/job-columns.ts";
import { resumeJob, stopJob } from "../../storage/jobs/work-on-job.ts";
import { type Db, transaction } from "../../storage/pool.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { JobContext } from "./start-job.ts";

export type { JobRecord, JobRunRecord };

export async function listJobs(
  { db }: { readonly db: Db },
  principal: Principal,
  query: JobsQuery,
): Promise<Page<JobRecord>> {
  const organizationId = organizationFor(principal, query.organizationId, "viewer");
  const page = toPageRequest("jobs", query);
  return toPage(page, await readJobs(db, organizationId, page));
}

export async function getJob(
  { db }: { readonly db: Db },
  principal: Principal,
  jobId: string,
): Promise<JobRecord> {
  const job = await findJob(db, organizationsFor(principal, undefined), jobId);
  if (!job) throw new Refusal("job_not_found");
  return job;
}

const RUNS_A_PAGE = 200;

/** What became of its runs, a page at a time. */
export async function getJobRuns(
  context: { readonly db: Db },
  principal: Principal,
  jobId: string,
  { state, after }: { state?: JobRunState | undefined; after?: string | undefined },
): Promise<{ runs: readonly JobRunRecord[]; next: string | undefined }> {
  const job = await getJob(context, principal, jobId);
  const runs = await listJobRuns(context.db, job, { state, after, size: RUNS_A_PAGE + 1 });
  const page = runs.slice(0, RUNS_A_PAGE);
  return { runs: page, next: runs.length > RUNS_A_PAGE ? page.at(-1)!.runId : undefined };
}

/** Stops a job, or lets a stopped one go on; one that is in that state already stays as it is. */
export async function switchJob(
  context: JobContext,
  principal: Principal,
  actor: Actor,
  { jobId, to }: { readonly jobId: string; readonly to: "stop" | "resume" },
): Promise<JobRecord> {
  const { pool, ids, wakeJobs } = context;
  const { organizationId } = await getJob({ db: pool }, principal, jobId);
  requireRole(principal, organizationId, "member");
  const change = to === "stop" ? stopJob : resumeJob;
  const job = await transaction(pool, async (db) => {
    if (await change(db, organizationId, jobId))
      await recordAudit({ db, ids }, actor, { organizationId, action: `job.${to}`, target: jobId });
    return getJob({ db }, principal, jobId);
  });
  wakeJobs();
  return job;
}
