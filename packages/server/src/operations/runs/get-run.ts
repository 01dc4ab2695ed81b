import { organizationsFor, type Principal } from "../../domain/principal.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { RunDetailRecord } from "../../domain/run-record.ts";
import type { Db } from "../../storage/pool.ts";
import { findRunDetail } from "../../storage/runs/find-run.ts";

/** The link that answers an approval without a key. */
export type ResumeUrlFor = (run: RunDetailRecord, nodeKey: string) => string;

export interface SeenRun {
  readonly run: RunDetailRecord;
  readonly resumeUrl?: string;
}

export type GetRun = (principal: Principal, runId: string) => Promise<SeenRun>;

export const makeGetRun =
  (db: Db, resumeUrlFor: ResumeUrlFor): GetRun =>
  async (principal, runId) => {
    const run = await findRunDetail(db, organizationsFor(principal, undefined), runId);
    if (!run) throw new Refusal("run_not_found");
    // The link is as good as a key, so those who may only look do not get it.
    const mayAnswer = principal.organizations.get(run.organizationId)?.role !== "viewer";
    if (run.wait?.kind !== "approval" || !mayAnswer) return { run };
    return { run, resumeUrl: resumeUrlFor(run, run.wait.nodeKey) };
  };
