import { z } from "zod";
import { bounded } from "../bounded.ts";
import { safeText, success, timestamp } from "../envelope.ts";
import { forkBody } from "../fork.ts";
import { designId } from "../ids.ts";
import { pageQuery } from "../paging.ts";
import { type RunStatus, runStatuses, triggerSources } from "../run-status.ts";
import { runsQuery } from "../runs.ts";
import { managedList, organizationScope } from "./managed.ts";

export const jobActions = ["cancel", "retry", "fork"] as const;
export type JobAction = (typeof jobActions)[number];
export const jobStatuses = ["running", "stopped", "completed"] as const;

/** Runs that each action can be asked for; those in front are meant where none are named. */
export const statusesOf: Readonly<
  Record<JobAction, { usual: readonly RunStatus[]; other: readonly RunStatus[] }>
> = {
  cancel: { usual: ["WAITING", "EXECUTING", "PAUSED"], other: [] },
  retry: { usual: ["FAILED", "CRASHED", "TIMED_OUT"], other: ["CANCELED"] },
  fork: { usual: ["FAILED", "CRASHED", "TIMED_OUT"], other: ["CANCELED", "COMPLETED"] },
};

const MAX_VALUES = 50;
const list = <Item extends z.ZodType>(item: Item) =>
  bounded(MAX_VALUES, z.array(item).min(1, "must not be empty"));

export const jobFilter = z.strictObject({
  flowId: designId.optional().describe("only runs of this flow"),
  status: list(z.enum(runStatuses, `must be one of ${runStatuses.join(", ")}`))
    .optional()
    .describe(
      "any of these statuses; default: cancel WAITING, EXECUTING and PAUSED runs, retry and fork FAILED, CRASHED and TIMED_OUT ones",
    ),
  tag: list(safeText.min(1, "must not be empty").max(128)).optional().describe("any of these tags"),
  version: list(safeText.max(64)).optional().describe("any of these versions"),
  createdAt: z
    .strictObject({
      from: runsQuery.shape["filter[createdAt][from]"],
      to: runsQuery.shape["filter[createdAt][to]"],
      period: runsQuery.shape["filter[createdAt][period]"],
    })
    .optional()
    .describe("as the filters of GET /api/runs"),
  triggerSource: list(z.enum(triggerSources, `must be one of ${triggerSources.join(", ")}`))
    .optional()
    .describe("started by any of these"),
  isTest: z.boolean("must be true or false").optional(),
});
export type JobFilter = z.infer<typeof jobFilter>;

export const startJobBody = z.strictObject(
  {
    ...organizationScope,
    action: z.enum(jobActions, "must be cancel, retry or fork"),
    filter: jobFilter.prefault({}).describe("which runs; those that match now, at most 100,000"),
    fork: forkBody
      .omit({ idempotencyKey: true })
      .optional()
      .describe("what each fork is asked for with; retry takes `version` and `tags` of it"),
  },
  "must be an object",
);
export type StartJobBody = z.infer<typeof startJobBody>;

export const job = z.strictObject({
  id: z.string().describe("starts with job_"),
  organizationId: z.string(),
  action: z.enum(jobActions),
  status: z.enum(jobStatuses),
  filter: z.record(z.string(), z.unknown()),
  total: z.int().describe("how many runs it is about"),
  pending: z.int().describe("runs that are left"),
  done: z.int(),
  skipped: z.int().describe("runs that had moved on meanwhile"),
  failed: z.int().describe("runs that were refused; `runs` says why"),
  reason: z.string().optional().describe("why it was stopped, where nobody has stopped it"),
  createdBy: z.string().describe("user id"),
  createdAt: timestamp,
  updatedAt: timestamp,
  completedAt: timestamp.optional(),
});
export type Job = z.infer<typeof job>;

const jobRun = z.strictObject({
  runId: z.string(),
  state: z.enum(["pending", "done", "skipped", "failed"]),
  newRunId: z.string().optional().describe("the fork"),
  message: z.string().optional().describe("why there is none"),
});

export const jobAnswer = success(job);
export const jobsQuery = z.object({
  ...organizationScope,
  ...pageQuery,
});
export type JobsQuery = z.infer<typeof jobsQuery>;
export const jobsAnswer = managedList(job);

export const jobRunsQuery = z.object({
  state: z.enum(["pending", "done", "skipped", "failed"]).optional().describe("only runs in this state"),
  after: safeText.max(64).optional().describe("run id behind which the page begins"),
});
export const jobRunsAnswer = success(
  z.strictObject({
    data: z.array(jobRun).describe("by run id, at most 200"),
    pagination: z.strictObject({ next: z.string().optional() }),
  }),
);
