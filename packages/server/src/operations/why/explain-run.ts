import type { WhyNote } from "@millrace/contract/why";
import { mayReadValues, type Principal } from "../../domain/principal.ts";
import { Refusal } from "../../domain/refusal.ts";
import { findPlaceInQueue } from "../../storage/why/find-place-in-queue.ts";
import { findWaitingRun, type WaitingRun } from "../../storage/why/find-waiting-run.ts";
import { mayAnswer } from "../runs/check-answer.ts";
import type { ResumeLinks } from "../runs/resume-links.ts";
import type { Cause, Explanation } from "./explanation.ts";
import { type CauseContext, findCause } from "./find-cause.ts";

/**
 * Why a run does not go on. Members of a suspended organization may ask too, as far as their key lets them in: it
 * is one of the answers.
 */
export async function explainRun(
  context: CauseContext & { readonly links: ResumeLinks },
  principal: Principal,
  runId: string,
): Promise<Explanation> {
  const organizationIds = [...principal.organizations.keys()];
  // Both at once: to go to the database and back takes longer than either look.
  const [run, place] = await Promise.all([
    findWaitingRun(context.db, organizationIds, runId),
    findPlaceInQueue(context.db, organizationIds, runId),
  ]);
  if (!run) throw new Refusal("run_not_found");
  const { role } = principal.organizations.get(run.organizationId)!;
  const cause = await findCause(context, run, place);
  const hidesValues = !mayReadValues(principal, run.organizationId);
  const explained = { ...cause, run, role, hidesValues, notes: notesOn(run, cause) };
  // The link is as good as a key, so only those who may answer get it.
  if (cause.cause !== "approval" || !cause.wait) return explained;
  if (!mayAnswer(principal, run.organizationId, cause.wait.assignees)) return explained;
  return { ...explained, link: context.links.make(run.organizationId, run.id, cause.wait.nodeKey) };
}

function notesOn({ isFlowActive, hasWorker, suspended }: WaitingRun, { waiting, cause }: Cause): WhyNote[] {
  if (!waiting) return [];
  return [
    ...(isFlowActive === false ? (["inactive_flow"] as const) : []),
    ...(!hasWorker && cause !== "no_worker" ? (["no_worker"] as const) : []),
    ...(suspended && cause !== "suspended_organization" ? (["suspended_organization"] as const) : []),
  ];
}
