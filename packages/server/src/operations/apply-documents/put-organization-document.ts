import type { OrganizationDocument } from "@millrace/contract/documents/organization";
import type { Outcome } from "../../storage/catalogue/outcome.ts";
import { putMembers } from "../../storage/catalogue/put-members.ts";
import { putOrganization } from "../../storage/catalogue/put-organization.ts";
import { openLedger } from "../../storage/credits/open-ledger.ts";
import { putVariables } from "../../storage/variables/variables.ts";
import type { ApplyContext } from "./apply-context.ts";

export interface PutOrganization {
  readonly outcome: Outcome;
  /** Nothing but its variables has changed: they are not the owner's alone. */
  readonly isOnlyVariables: boolean;
}

export async function putOrganizationDocument(
  context: ApplyContext,
  document: OrganizationDocument,
): Promise<PutOrganization> {
  const outcome = await putSettings(context, document);
  const { id, variables } = document;
  const { db, author, note } = context;
  const version =
    variables && (await putVariables(db, { organizationId: id, values: variables, author, note }));
  if (version === undefined || outcome !== "unchanged") return { outcome, isOnlyVariables: false };
  return { outcome: "updated", isOnlyVariables: true };
}

async function putSettings(
  { db, ids }: ApplyContext,
  { id, name, limits, suspended, credits, values, auditDays, members }: OrganizationDocument,
): Promise<Outcome> {
  const outcome = await putOrganization(db, {
    id,
    name,
    suspended,
    concurrencyLimit: limits?.concurrency,
    queueLimit: limits?.queue,
    requestsPerMinute: limits?.requestsPerMinute,
    creditsLimited: credits === undefined ? undefined : credits !== null,
    valuesHidden: values === undefined ? undefined : values === "hidden",
    auditDays,
  });
  // Once there is an opening entry the ledger alone says what is left.
  if (typeof credits === "number") {
    await openLedger(db, { id: ids.make("entry"), organizationId: id, amount: credits });
  }
  const people = members?.map((member) => ({ ...member, disabled: member.disabled ?? false }));
  const membersChanged = people !== undefined && (await putMembers(db, id, people));
  return outcome === "unchanged" && membersChanged ? "updated" : outcome;
}
