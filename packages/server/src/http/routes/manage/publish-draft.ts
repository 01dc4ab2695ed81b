import { publishBody, publishedAnswer } from "@millrace/contract/manage/flows";
import { publishDraft } from "../../../operations/manage-flows/draft.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const publishDraftRoute = (context: ContextOf<typeof publishDraft>) =>
  defineRoute({
    method: "POST",
    path: "/manage/flows/{flowId}/publish",
    name: "publishDraft",
    summary: "Put the draft of a flow in force",
    tag: "Manage",
    access: "key",
    role: "admin",
    body: publishBody,
    answers: { 200: { description: "In force for every trigger from now on", schema: publishedAnswer } },
    errors: [
      "invalid_flow_id",
      "flow_validation_failed",
      "tests_failed",
      "tests_missing",
      "access_denied",
      "flow_not_found",
      "draft_changed",
      "service_unavailable",
    ],
    async handle({ principal, actor, params, body }) {
      const data = await publishDraft(context, { principal, actor }, params.flowId!, body ?? {});
      return { status: 200, body: { success: true, data } };
    },
  });
