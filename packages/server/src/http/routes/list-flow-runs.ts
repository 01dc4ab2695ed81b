import { flowRunsAnswer, flowRunsQuery } from "@millrace/contract/runs";
import { listFlowRuns } from "../../operations/runs/list-flow-runs.ts";
import { presentPage } from "../presenters/list.ts";
import { presentFlowRun } from "../presenters/run.ts";
import { type ContextOf, defineRoute } from "../route.ts";

export const listFlowRunsRoute = (context: ContextOf<typeof listFlowRuns>) =>
  defineRoute({
    method: "GET",
    path: "/api/flows/{flowId}/runs",
    name: "listFlowRuns",
    summary: "List the runs of one flow, newest first",
    tag: "Runs",
    access: "key",
    query: flowRunsQuery,
    answers: { 200: { description: "A page of runs, without their version", schema: flowRunsAnswer } },
    errors: ["invalid_flow_id", "invalid_query", "organization_access_denied", "flow_not_found"],
    async handle({ principal, params, query }) {
      const page = await listFlowRuns(context, principal, params.flowId!, query);
      return { status: 200, body: presentPage(page, presentFlowRun) };
    },
  });
