import type { Job } from "@millrace/contract/manage/jobs";
import type { JobRecord, JobRunRecord } from "../../operations/jobs/manage-job.ts";

export function presentJob({ reason, createdAt, updatedAt, completedAt, ...job }: JobRecord): Job {
  return {
    ...job,
    total: job.pending + job.done + job.skipped + job.failed,
    ...(reason !== null && { reason }),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    ...(completedAt && { completedAt: completedAt.toISOString() }),
  };
}

export function presentJobRun({ runId, state, newRunId, message }: JobRunRecord): object {
  return {
    runId,
    state,
    ...(newRunId !== null && { newRunId }),
    ...(message !== null && { message }),
  };
}
