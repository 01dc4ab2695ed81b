import { creditsAnswer, creditsQuery } from "@millrace/contract/manage/credits";
import { showManagedCredits } from "../../../operations/credits/read-ledger.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const showCreditsRoute = (context: ContextOf<typeof showManagedCredits>) =>
  defineRoute({
    method: "GET",
    path: "/manage/credits",
    name: "showCredits",
    summary: "Show the credits of an organization",
    tag: "Manage",
    access: "key",
    role: "viewer",
    query: creditsQuery,
    answers: { 200: { description: "The balance", schema: creditsAnswer } },
    errors: ["organization_access_denied"],
    async handle({ principal, query }) {
      return {
        status: 200,
        body: { success: true, data: await showManagedCredits(context, principal, query) },
      };
    },
  });
