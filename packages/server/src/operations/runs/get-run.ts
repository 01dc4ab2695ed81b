import { mayReadValues, organizationsFor, type Principal } from "../../domain/principal.ts";
import { Refusal } from "../../domain/refusal.ts";
import { type RunDetailRecord, withoutValues } from "../../domain/run-record.ts";
import type { Db } from "../../storage/pool.ts";
import { findRunDetail } from "../../storage/runs/find-run.ts";
import { mayAnswer } from "./check-answer.ts";
import type { ResumeLinks } from "./resume-links.ts";

export interface SeenRun {
  readonly run: RunDetailRecord;
  /** Links that answer approvals without a key, by node key. */
  readonly resumeUrls: ReadonlyMap<string, string>;
  /** The organization hides values from viewers: the run comes without them. */
  readonly valuesHidden: boolean;
}

export async function getRun(
  { db, links }: { readonly db: Db; readonly links: ResumeLinks },
  principal: Principal,
  runId: string,
): Promise<SeenRun> {
  const found = await findRunDetail(db, organizationsFor(principal, undefined), runId);
  if (!found) throw new Refusal("run_not_found");
  const valuesHidden = !mayReadValues(principal, found.organizationId);
  const run = valuesHidden ? withoutValues(found) : found;
  const { organizationId, waits } = run;
  // The link is as good as a key, so only those who may answer get it.
  const approvals = waits.filter(
    ({ kind, assignees }) => kind === "approval" && mayAnswer(principal, organizationId, assignees),
  );
  const linkOf = (nodeKey: string) => links.make(organizationId, runId, nodeKey);
  return {
    run,
    valuesHidden,
    resumeUrls: new Map(approvals.map(({ nodeKey }) => [nodeKey, linkOf(nodeKey)])),
  };
}
