import { draftBody, draftSavedAnswer } from "@millrace/contract/manage/flows";
import { putDraftOf } from "../../../operations/manage-flows/draft.ts";
import { MAX_DOCUMENTS_BYTES } from "./plan-documents.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const putDraftRoute = (context: ContextOf<typeof putDraftOf>) =>
  defineRoute({
    method: "PUT",
    path: "/manage/flows/{flowId}/draft",
    name: "putDraft",
    summary: "Save the draft of a flow on top of the revision that was read",
    tag: "Manage",
    access: "key",
    role: "admin",
    body: draftBody,
    bodyLimitBytes: MAX_DOCUMENTS_BYTES,
    answers: { 200: { description: "Saved; the revision for the next change", schema: draftSavedAnswer } },
    errors: ["invalid_flow_id", "access_denied", "flow_not_found", "draft_changed"],
    async handle({ principal, actor, params, body }) {
      const data = await putDraftOf(context, { principal, actor }, params.flowId!, body);
      return { status: 200, body: { success: true, data } };
    },
  });
