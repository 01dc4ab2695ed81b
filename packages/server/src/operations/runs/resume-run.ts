import type { ResumeBody } from "@millrace/contract/trigger";
import { type Principal, reaches, requireChangeRight, requireMembership } from "../../domain/principal.ts";
import { Refusal } from "../../domain/refusal.ts";
import { findSuspension } from "../../storage/catalogue/find-suspension.ts";
import type { Db } from "../../storage/pool.ts";
import { type Approval, answerApproval } from "../../storage/runs/answer-waits.ts";
import { findRunOwner } from "../../storage/runs/find-run-owner.ts";
import type { ResumeLinks } from "./resume-links.ts";

export interface ResumeParts {
  readonly db: Db;
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

export interface ResumeRun {
  /** What a link gives the right to; undefined for one that is not ours. Refused while the organization is suspended. */
  openLink(runId: string, token: string): Promise<LinkRight | undefined>;
  withKey(principal: Principal, runId: string, body: ResumeBody): Promise<Resumed>;
  /** The link is the right to answer: whoever holds it needs no key, and it works once. */
  withLink(runId: string, token: string, body: Pick<ResumeBody, "decision" | "data">): Promise<Resumed>;
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

const MAX_LISTED = 100;

/** Answers an approval; the first answer wins. */
export function makeResumeRun({ db, links, now, onResumed }: ResumeParts): ResumeRun {
  const answer = async (
    organizationId: string,
    runId: string,
    name: string | undefined,
    by: string,
    body: Omit<ResumeBody, "nodeId">,
  ): Promise<Resumed> => {
    const { decision, data } = body;
    const given = { decision, by, ...(data !== undefined && { data }) };
    const { answered, pending } = await answerApproval(db, { organizationId, runId, name, answer: given });
    if (!answered) throw refusal(runId, name, pending);
    onResumed(organizationId, runId);
    return { runId, ...answered, decision, resumedAt: now() };
  };
  return {
    async openLink(runId, token) {
      const right = links.read(runId, token);
      if (!right) return undefined;
      const suspended = await findSuspension(db, right.organizationId);
      if (suspended) throw new Refusal("organization_suspended");
      return suspended === undefined ? undefined : right;
    },
    async withKey(principal, runId, { nodeId, ...body }) {
      const found = await findRunOwner(db, [...principal.organizations.keys()], runId);
      if (!found || !reaches(principal, found.organizationId)) throw new Refusal("run_not_found");
      requireChangeRight(requireMembership(principal, found.organizationId));
      return answer(found.organizationId, runId, nodeId, principal.user.id, body);
    },
    async withLink(runId, token, body) {
      const right = links.read(runId, token);
      if (!right) throw new Refusal("unauthorized");
      return answer(right.organizationId, runId, right.nodeKey, "link", body);
    },
  };
}
