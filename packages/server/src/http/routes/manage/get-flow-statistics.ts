import { flowStatisticsAnswer, flowStatisticsQuery } from "@millrace/contract/manage/statistics";
import { readFlowStatistics } from "../../../operations/statistics/read-flow-statistics.ts";
import { presentFlowStatistics } from "../../presenters/statistics.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const getFlowStatisticsRoute = (context: ContextOf<typeof readFlowStatistics>) =>
  defineRoute({
    method: "GET",
    path: "/manage/flows/{flowId}/statistics",
    name: "getFlowStatistics",
    summary:
      "Get p50, p95 and error rates of a flow and its nodes, over the last day or another time up to 31",
    tag: "Manage",
    access: "key",
    role: "viewer",
    query: flowStatisticsQuery,
    answers: { 200: { description: "Figures, at most five seconds old", schema: flowStatisticsAnswer } },
    errors: ["invalid_flow_id", "invalid_query", "flow_not_found"],
    async handle({ principal, params, query }) {
      const statistics = await readFlowStatistics(context, principal, params.flowId!, query);
      return { status: 200, body: { success: true, data: presentFlowStatistics(statistics) } };
    },
  });
