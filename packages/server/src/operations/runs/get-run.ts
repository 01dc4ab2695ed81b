import { organizationsFor, type Principal } from "../../domain/principal.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { RunDetailRecord } from "../../domain/run-record.ts";
import type { Db } from "../../storage/pool.ts";
import { findRunDetail } from "../../storage/runs/find-run.ts";
import type { ResumeLinks } from "./resume-links.ts";

export interface SeenRun {
  readonly run: RunDetailRecord;
  /** Links that answer approvals without a key, by node key. */
  readonly resumeUrls: ReadonlyMap<string, string>;
}

export async function getRun(
  { db, links }: { readonly db: Db; readonly links: ResumeLinks },
  principal: Principal,
  runId: string,
): Promise<SeenRun> {
  const run = await findRunDetail(db, organizationsFor(principal, undefined), runId);
  if (!run) throw new Refusal("run_not_found");
  const { organizationId, waits } = run;
  // The link is as good as a key, so those who may only look do not get it.
  const mayAnswer = principal.organizations.get(organizationId)?.role !== "viewer";
  const approvals = mayAnswer ? waits.filter(({ kind }) => kind === "approval") : [];
  const linkOf = (nodeKey: string) => links.make(organizationId, runId, nodeKey);
  return { run, resumeUrls: new Map(approvals.map(({ nodeKey }) => [nodeKey, linkOf(nodeKey)])) };
}
