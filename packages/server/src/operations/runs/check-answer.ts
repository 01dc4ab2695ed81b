import type { ResumeBody } from "@millrace/contract/trigger";
import {
  type ApprovalForm,
  dataOfFields,
  readForm,
  schemaOfAnswer,
} from "../../domain/approval/approval-form.ts";
import { checkValue } from "../../domain/json-schema/check-value.ts";
import type { Principal } from "../../domain/principal.ts";
import { Refusal } from "../../domain/refusal.ts";
import { driveSliced } from "../../domain/sliced.ts";
import { eventLoop } from "../../lifecycle/event-loop.ts";
import type { PendingApproval } from "../../storage/runs/find-approvals.ts";

/** An answer as it is given: `fields` come from a page, where all is text. */
export interface GivenAnswer extends Omit<ResumeBody, "nodeId"> {
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** The one that is meant, where that is clear; the statement that answers it decides, this only tells what to check. */
export function meantApproval(
  pending: readonly PendingApproval[],
  name: string | undefined,
): PendingApproval | undefined {
  const named = pending.find(({ nodeKey }) => nodeKey === name);
  if (named) return named;
  const meant = pending.filter(({ nodeId }) => name === undefined || nodeId === name);
  return meant.length === 1 ? meant[0] : undefined;
}

/** Whom an approval names, beside those who may change everything; where it names nobody, every member. */
export function mayAnswer(
  { user, organizations }: Principal,
  organizationId: string,
  assignees: readonly string[] | undefined,
): boolean {
  const role = organizations.get(organizationId)?.role;
  if (role === "owner" || role === "admin") return true;
  if (role !== "member") return false;
  return (
    !assignees || assignees.some((one) => one === user.id || one.toLowerCase() === user.email.toLowerCase())
  );
}

export function requireAssigned(
  { details }: PendingApproval,
  principal: Principal,
  organizationId: string,
): void {
  if (!mayAnswer(principal, organizationId, details?.assignees)) throw new Refusal("not_assigned");
}

/**
 * The data that goes to the flow.
 * @throws Refusal where it does not fit the form
 */
export async function checkedData(
  organizationId: string,
  approval: PendingApproval | undefined,
  { decision, data, fields }: GivenAnswer,
): Promise<Record<string, unknown> | undefined> {
  const form = await formOf(organizationId, approval);
  if (!form) return data;
  const given = fields ? dataOfFields(form, fields) : data;
  const check = checkValue(schemaOfAnswer(form, decision), given ?? {});
  const issues = await driveSliced(check, () => eventLoop.giveWay(organizationId));
  if (issues.length === 0) return given;
  throw new Refusal("invalid_request_body", {
    issues: issues.map(({ path, message }) => ({ path: ["data", ...path], message })),
  });
}

/** Undefined where there is none, and where the rules for forms have changed since it was stored. */
export async function formOf(
  organizationId: string,
  approval: PendingApproval | undefined,
): Promise<ApprovalForm | undefined> {
  const stated = approval?.details?.form;
  if (!stated) return undefined;
  return (await driveSliced(readForm(stated), () => eventLoop.giveWay(organizationId))).form;
}
