import { creditsAnswer, grantCreditsBody } from "@millrace/contract/manage/credits";
import { grantManagedCredits } from "../../../operations/credits/read-ledger.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const grantCreditsRoute = (context: ContextOf<typeof grantManagedCredits>) =>
  defineRoute({
    method: "POST",
    path: "/manage/credits/entries",
    name: "grantCredits",
    summary: "Add credits; a negative amount takes them away",
    tag: "Manage",
    access: "key",
    role: "owner",
    body: grantCreditsBody,
    answers: { 201: { description: "What is left now", schema: creditsAnswer } },
    errors: ["organization_access_denied", "credits_unlimited"],
    async handle({ principal, actor, body }) {
      const data = await grantManagedCredits(context, principal, actor, body);
      return { status: 201, body: { success: true, data } };
    },
  });
