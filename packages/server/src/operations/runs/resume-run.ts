import type { ResumeBody } from "@millrace/contract/trigger";
import type { Actor } from "../../domain/actor.ts";
import type { IdMaker } from "../../domain/ids.ts";
import { type Principal, reaches, requireChangeRight, requireMembership } from "../../domain/principal.ts";
import { Refusal } from "../../domain/refusal.ts";
import { findSuspension } from "../../storage/catalogue/find-suspension.ts";
import type { Db } from "../../storage/pool.ts";
import { type Approval, answerApproval } from "../../storage/runs/answer-waits.ts";
import { findApprovals } from "../../storage/runs/find-approvals.ts";
import { findRunOwner } from "../../storage/runs/find-run-owner.ts";
import { checkedData, type GivenAnswer, meantApproval, requireAssigned } from "./check-answer.ts";
import type { ResumeLinks } from "./resume-links.ts";

const MAX_LISTED = 100;

export interface ResumeContext {
  readonly db: Db;
  readonly ids: IdMaker;
  readonly links: ResumeLinks;
  readonly now: () => Date;
  readonly onResumed: (organizationId: string, runId: string) => void;
}

export interface Resumed {
  readonly runId: string;
  readonly nodeId: string;
  readonly nodeKey: string;
  readonly decision: "approved" | "rejected";
  readonly resumedAt: Date;
}

interface LinkRight {
  readonly organizationId: string;
  readonly nodeKey: string;
}

/** What a link gives the right to; undefined for one that is not ours. Refused while the organization is suspended. */
export async function openResumeLink(
  { db, links }: Pick<ResumeContext, "db" | "links">,
  runId: string,
  token: string,
): Promise<LinkRight | undefined> {
  const right = links.read(runId, token);
  if (!right) return undefined;
  const suspended = await findSuspension(db, right.organizationId);
  if (suspended) throw new Refusal("organization_suspended");
  return suspended === undefined ? undefined : right;
}

export async function resumeRun(
  context: ResumeContext,
  principal: Principal,
  actor: Actor,
  runId: string,
  { nodeId, ...body }: ResumeBody,
): Promise<Resumed> {
  const found = await findRunOwner(context.db, [...principal.organizations.keys()], runId);
  if (!found || !reaches(principal, found.organizationId)) throw new Refusal("run_not_found");
  requireChangeRight(requireMembership(principal, found.organizationId));
  const { organizationId } = found;
  const approval = meantApproval(await findApprovals(context.db, organizationId, runId), nodeId);
  if (approval) requireAssigned(approval, principal, organizationId);
  const data = await checkedData(organizationId, approval, body);
  return answer(
    context,
    { organizationId, runId, name: nodeId, by: principal.user.id, actor },
    { ...body, data },
  );
}

/** The link is the right to answer: whoever holds it needs no key, and it works once. */
export async function resumeRunByLink(
  context: ResumeContext,
  actor: Actor,
  runId: string,
  token: string,
  { decision, ...given }: GivenAnswer,
): Promise<Resumed> {
  const right = context.links.read(runId, token);
  if (!right) throw new Refusal("link_not_found");
  const { organizationId, nodeKey } = right;
  const approval = meantApproval(await findApprovals(context.db, organizationId, runId), nodeKey);
  const data = await checkedData(organizationId, approval, { decision, ...given });
  return answer(context, { organizationId, runId, name: nodeKey, by: "link", actor }, { decision, data });
}

/** The first answer wins. */
async function answer(
  { db, ids, now, onResumed }: ResumeContext,
  approval: { organizationId: string; runId: string; name: string | undefined; by: string; actor: Actor },
  { decision, data }: Omit<ResumeBody, "nodeId">,
): Promise<Resumed> {
  const { organizationId, runId, name, by, actor } = approval;
  const audit = { entryId: ids.make("audit"), actor };
  const given = { decision, by, ...(data !== undefined && { data }) };
  const { answered, pending } = await answerApproval(db, {
    organizationId,
    runId,
    name,
    answer: given,
    audit,
  });
  if (!answered) throw refusal(runId, name, pending);
  onResumed(organizationId, runId);
  return { runId, ...answered, decision, resumedAt: now() };
}

/** Where it is not clear which one is meant, the answer lists what could be. */
function refusal(runId: string, name: string | undefined, pending: readonly Approval[]): Refusal {
  const meant = pending.filter(({ nodeId }) => name === undefined || nodeId === name);
  if (meant.length === 0) return new Refusal("run_not_resumable", { messageParams: { runId } });
  const keys = meant.map(({ nodeKey }) => nodeKey);
  return new Refusal("approval_not_named", {
    messageParams: { runId, pending: keys.slice(0, MAX_LISTED).join(", ") },
    issues: keys.map((nodeKey) => ({ path: ["nodeId"], message: nodeKey })),
  });
}
