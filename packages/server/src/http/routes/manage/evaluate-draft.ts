import { evaluateAnswer, evaluateBody } from "@millrace/contract/manage/replays";
import { evaluateDraft } from "../../../operations/backtest/evaluate-draft.ts";
import { MAX_DOCUMENTS_BYTES } from "./plan-documents.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const evaluateDraftRoute = (context: ContextOf<typeof evaluateDraft>) =>
  defineRoute({
    method: "POST",
    path: "/manage/flows/{flowId}/draft/evaluate",
    name: "evaluateDraft",
    summary: "Evaluate the draft of a flow, or a graph in its place, on the values of a recorded run",
    tag: "Manage",
    access: "key",
    role: "member",
    body: evaluateBody,
    bodyLimitBytes: MAX_DOCUMENTS_BYTES,
    answers: {
      200: { description: "Each node with its values; nothing was called", schema: evaluateAnswer },
    },
    errors: ["invalid_flow_id", "access_denied", "flow_not_found", "run_not_found", "service_unavailable"],
    async handle({ principal, params, body }) {
      const data = await evaluateDraft(context, principal, params.flowId!, body);
      return { status: 200, body: { success: true, data } };
    },
  });
