import { draftTestedAnswer, testDraftBody } from "@millrace/contract/manage/replays";
import { testDraft } from "../../../operations/flow-tests/test-draft.ts";
import { MAX_DOCUMENTS_BYTES } from "./plan-documents.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const testDraftRoute = (context: ContextOf<typeof testDraft>) =>
  defineRoute({
    method: "POST",
    path: "/manage/flows/{flowId}/draft/test",
    name: "testDraft",
    summary: "Run tests on the draft of a flow, or on a graph in its place",
    tag: "Manage",
    access: "key",
    role: "member",
    body: testDraftBody,
    bodyLimitBytes: MAX_DOCUMENTS_BYTES,
    answers: { 200: { description: "Which passed; nothing was called", schema: draftTestedAnswer } },
    errors: ["invalid_flow_id", "access_denied", "flow_not_found", "service_unavailable"],
    async handle({ principal, params, body }) {
      const data = await testDraft(context, principal, params.flowId!, body);
      return { status: 200, body: { success: true, data } };
    },
  });
