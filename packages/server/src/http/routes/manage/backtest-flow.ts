import { backtestAnswer, backtestBody } from "@millrace/contract/manage/replays";
import { backtestFlow } from "../../../operations/backtest/backtest-flow.ts";
import { MAX_DOCUMENTS_BYTES } from "./plan-documents.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const backtestFlowRoute = (context: ContextOf<typeof backtestFlow>) =>
  defineRoute({
    method: "POST",
    path: "/manage/flows/{flowId}/backtest",
    name: "backtestFlow",
    summary: "Replay recorded runs with the draft of a flow, or a graph in its place, and say what changes",
    tag: "Manage",
    access: "key",
    role: "member",
    body: backtestBody,
    bodyLimitBytes: MAX_DOCUMENTS_BYTES,
    answers: { 200: { description: "What changes; nothing was called", schema: backtestAnswer } },
    errors: [
      "invalid_flow_id",
      "flow_validation_failed",
      "access_denied",
      "flow_not_found",
      "service_unavailable",
    ],
    async handle({ principal, params, body }) {
      const data = await backtestFlow(context, principal, params.flowId!, body);
      return { status: 200, body: { success: true, data } };
    },
  });
