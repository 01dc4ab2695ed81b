import { type JobFilter, type StartJobBody, statusesOf } from "@millrace/contract/manage/jobs";
import type { Actor } from "../../domain/actor.ts";
import type { IdMaker } from "../../domain/ids.ts";
import { organizationFor, type Principal } from "../../domain/principal.ts";
import { Refusal } from "../../domain/refusal.ts";
import { type RunFilters, toRunFilters } from "../../domain/run-filters.ts";
import { findJob } from "../../storage/jobs/find-job.ts";
import type { JobRecord } from "../../storage/jobs/job-columns.ts";
import { startJob as storeJob } from "../../storage/jobs/start-job.ts";
import { type Pool, transaction } from "../../storage/pool.ts";
import { recordAudit } from "../audit/record-audit.ts";

const MAX_RUNS = 100_000;
/** Ten jobs of the organization are running. */
const RETRY_AFTER_SECONDS = 10;

export interface JobContext {
  readonly pool: Pool;
  readonly ids: IdMaker;
  readonly nowMs: () => number;
  /** Whoever works on jobs looks at once. */
  readonly wakeJobs: () => void;
}

/** Cancels, retries or forks all runs that match now, one after the other and whatever becomes of this process. */
export async function startJob(
  { pool, ids, nowMs, wakeJobs }: JobContext,
  principal: Principal,
  actor: Actor,
  body: StartJobBody,
): Promise<JobRecord> {
  const organizationId = organizationFor(principal, body.organizationId, "member");
  const { action, filter, fork } = body;
  refuseFork(body);
  const id = ids.make("job");
  const runs = { ...toFilters(filter, nowMs()), statuses: statusesFor(body) };
  const job = await transaction(pool, async (db) => {
    const { found, isStarted } = await storeJob(db, {
      organizationId,
      id,
      action,
      filter,
      fork: action === "cancel" ? undefined : (fork ?? {}),
      createdBy: principal.user.id,
      runs,
      maxRuns: MAX_RUNS,
    });
    if (found > MAX_RUNS) throw invalid(["filter"], `matches more than ${MAX_RUNS} runs; narrow it down`);
    if (!isStarted) throw new Refusal("too_many_requests", { retryAfterSeconds: RETRY_AFTER_SECONDS });
    const after = { action, filter, runs: found };
    await recordAudit({ db, ids }, actor, { organizationId, action: "job.start", target: id, after });
    return (await findJob(db, [organizationId], id))!;
  });
  wakeJobs();
  return job;
}

function refuseFork({ action, fork }: StartJobBody): void {
  if (fork === undefined) return;
  if (action === "cancel") throw invalid(["fork"], "is for retry and fork");
  const other = Object.keys(fork).find((name) => name !== "version" && name !== "tags");
  if (action === "retry" && other !== undefined)
    throw invalid(["fork", other], "is for fork; retry takes version and tags");
}

function statusesFor({ action, filter }: StartJobBody) {
  const { usual, other } = statusesOf[action];
  const wrong = filter.status?.find((status) => !usual.includes(status) && !other.includes(status));
  if (wrong !== undefined)
    throw invalid(
      ["filter", "status"],
      `cannot ${action} ${wrong} runs; use ${[...usual, ...other].join(", ")}`,
    );
  return filter.status ?? usual;
}

function toFilters(filter: JobFilter, nowMs: number): RunFilters {
  const { flowId, tag, version, triggerSource, createdAt, isTest } = filter;
  return toRunFilters(
    {
      "page[size]": 1,
      "filter[flowId]": flowId,
      "filter[tag]": tag,
      "filter[version]": version,
      "filter[triggerSource]": triggerSource,
      "filter[createdAt][from]": createdAt?.from,
      "filter[createdAt][to]": createdAt?.to,
      "filter[createdAt][period]": createdAt?.period,
      "filter[isTest]": isTest,
    },
    nowMs,
  );
}

function invalid(path: string[], message: string): Refusal {
  return new Refusal("invalid_request_body", { issues: [{ path, message }] });
}
