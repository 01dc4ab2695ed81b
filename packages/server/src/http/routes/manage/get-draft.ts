import { flowDraftAnswer } from "@millrace/contract/manage/flows";
import { getDraft } from "../../../operations/manage-flows/draft.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const getDraftRoute = (context: ContextOf<typeof getDraft>) =>
  defineRoute({
    method: "GET",
    path: "/manage/flows/{flowId}/draft",
    name: "getDraft",
    summary: "Get the draft of a flow, or the version in force where there is none",
    tag: "Manage",
    access: "key",
    role: "viewer",
    answers: { 200: { description: "The draft and its revision", schema: flowDraftAnswer } },
    errors: ["invalid_flow_id", "flow_not_found"],
    async handle({ principal, params }) {
      const { updatedAt, ...draft } = await getDraft(context, principal, params.flowId!);
      const data = { ...draft, ...(updatedAt && { updatedAt: updatedAt.toISOString() }) };
      return { status: 200, body: { success: true, data } };
    },
  });
