import type { FormField } from "../../domain/approval/approval-form.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Db } from "../../storage/pool.ts";
import { findApprovals } from "../../storage/runs/find-approvals.ts";
import { findAsker } from "../../storage/runs/find-asker.ts";
import { formOf } from "./check-answer.ts";
import type { ResumeLinks } from "./resume-links.ts";

/** What the page behind a link shows. */
export interface ShownApproval {
  readonly flowName: string;
  readonly organizationName: string;
  readonly runId: string;
  /** `early`: the run has not come to it yet. */
  readonly state: "pending" | "early" | "over";
  readonly message?: string;
  readonly assignees?: readonly string[];
  readonly fields?: readonly FormField[];
  readonly askedAt?: Date;
  readonly dueAt?: Date;
}

/** What a link asks for. The link was let in already. */
export async function showApproval(
  { db, links }: { readonly db: Db; readonly links: ResumeLinks },
  runId: string,
  token: string,
): Promise<ShownApproval> {
  const right = links.read(runId, token);
  const asker = right && (await findAsker(db, right.organizationId, runId, right.nodeKey));
  if (!asker) throw new Refusal("link_not_found");
  const { flowName, organizationName, hasEnded, wasAnswered } = asker;
  const { organizationId, nodeKey } = right;
  const approval = (await findApprovals(db, organizationId, runId)).find((one) => one.nodeKey === nodeKey);
  const common = { flowName, organizationName, runId };
  if (!approval) return { ...common, state: hasEnded || wasAnswered ? "over" : "early" };
  const { message, details, askedAt, dueAt } = approval;
  const form = await formOf(organizationId, approval);
  return {
    ...common,
    state: "pending",
    askedAt,
    ...(message !== null && { message }),
    ...(details?.assignees && { assignees: details.assignees }),
    ...(form && { fields: form.fields }),
    ...(dueAt !== null && { dueAt }),
  };
}
