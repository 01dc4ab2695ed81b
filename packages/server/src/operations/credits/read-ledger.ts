import type { GrantCreditsBody, LedgerQuery } from "@millrace/contract/manage/credits";
import type { Actor } from "../../domain/actor.ts";
import { type Page, toPage, toPageRequest } from "../../domain/cursor.ts";
import { organizationFor, type Principal } from "../../domain/principal.ts";
import { Refusal } from "../../domain/refusal.ts";
import { type CreditEntryRecord, listCreditEntries } from "../../storage/credits/list-credit-entries.ts";
import type { Credits } from "../../storage/credits/read-credits.ts";
import { type GrantContext, grantCredits, showCredits } from "./manage-credits.ts";

export type { CreditEntryRecord };

export async function showManagedCredits(
  { pool }: GrantContext,
  principal: Principal,
  asked: { readonly organizationId?: string | undefined },
): Promise<Credits> {
  return showCredits(pool, organizationFor(principal, asked.organizationId, "viewer"));
}

export async function readLedger(
  { pool }: GrantContext,
  principal: Principal,
  query: LedgerQuery,
): Promise<Page<CreditEntryRecord>> {
  const organizationId = organizationFor(principal, query.organizationId, "viewer");
  const page = toPageRequest("credits", query);
  return toPage(page, await listCreditEntries(pool, organizationId, page));
}

export async function grantManagedCredits(
  context: GrantContext,
  principal: Principal,
  actor: Actor,
  { amount, note, ...asked }: GrantCreditsBody,
): Promise<Credits> {
  const organizationId = organizationFor(principal, asked.organizationId, "owner");
  const { limited } = await showCredits(context.pool, organizationId);
  if (!limited) throw new Refusal("credits_unlimited");
  return grantCredits(context, actor, { organizationId, amount, ...(note !== undefined && { note }) });
}
