import type { ResumeBody } from "@millrace/contract/trigger";
import { type Principal, reaches, requireChangeRight, requireMembership } from "../../domain/principal.ts";
import { Refusal } from "../../domain/refusal.ts";
import { findSuspension } from "../../storage/catalogue/find-suspension.ts";
import type { Db } from "../../storage/pool.ts";
import { answerApproval } from "../../storage/runs/answer-waits.ts";
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

/** Answers an approval; the first answer wins. */
export function makeResumeRun({ db, links, now, onResumed }: ResumeParts): ResumeRun {
  const answer = async (
    organizationId: string,
    runId: string,
    nodeKey: string | undefined,
    by: string,
    body: Omit<ResumeBody, "nodeId">,
  ): Promise<Resumed> => {
    const { decision, data } = body;
    const given = { decision, by, ...(data !== undefined && { data }) };
    const answered = await answerApproval(db, { organizationId, runId, nodeKey, answer: given });
    if (!answered) throw new Refusal("run_not_resumable", { messageParams: { runId } });
    onResumed(organizationId, runId);
    return { runId, nodeId: answered.nodeId, decision, resumedAt: now() };
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
