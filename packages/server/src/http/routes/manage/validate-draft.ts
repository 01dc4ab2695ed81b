import { draftValidationAnswer, validateDraftBody } from "@millrace/contract/manage/flows";
import { validateDraft } from "../../../operations/manage-flows/draft.ts";
import { MAX_DOCUMENTS_BYTES } from "./plan-documents.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const validateDraftRoute = (context: ContextOf<typeof validateDraft>) =>
  defineRoute({
    method: "POST",
    path: "/manage/flows/{flowId}/draft/validate",
    name: "validateDraft",
    summary: "Say whether the draft of a flow, or a graph in its place, would run",
    tag: "Manage",
    access: "key",
    role: "viewer",
    body: validateDraftBody,
    bodyLimitBytes: MAX_DOCUMENTS_BYTES,
    answers: { 200: { description: "What is wrong with it", schema: draftValidationAnswer } },
    errors: ["invalid_flow_id", "flow_not_found"],
    async handle({ principal, params, body }) {
      const { errors, ...checked } = await validateDraft(context, principal, params.flowId!, body);
      return {
        status: 200,
        body: { success: true, data: { valid: errors.length === 0, errors, ...checked } },
      };
    },
  });
