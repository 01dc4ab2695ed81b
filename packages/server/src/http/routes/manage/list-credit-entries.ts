import { type CreditEntry, ledgerAnswer, ledgerQuery } from "@millrace/contract/manage/credits";
import { type CreditEntryRecord, readLedger } from "../../../operations/credits/read-ledger.ts";
import { presentPage } from "../../presenters/list.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const listCreditEntriesRoute = (context: ContextOf<typeof readLedger>) =>
  defineRoute({
    method: "GET",
    path: "/manage/credits/entries",
    name: "listCreditEntries",
    summary: "List the ledger of credits, newest first",
    tag: "Manage",
    access: "key",
    role: "viewer",
    query: ledgerQuery,
    answers: { 200: { description: "A page of the ledger", schema: ledgerAnswer } },
    errors: ["organization_access_denied"],
    async handle({ principal, query }) {
      return { status: 200, body: presentPage(await readLedger(context, principal, query), present) };
    },
  });

function present({ id, kind, amount, runId, note, createdAt }: CreditEntryRecord): CreditEntry {
  return {
    id,
    kind,
    amount,
    ...(runId !== null && { runId }),
    ...(note !== null && { note }),
    createdAt: createdAt.toISOString(),
  };
}
