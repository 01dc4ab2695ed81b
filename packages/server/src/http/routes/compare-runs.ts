import { compareAnswer } from "@millrace/contract/compare";
import { compareRuns } from "../../operations/compare/compare-runs.ts";
import { type ContextOf, defineRoute } from "../route.ts";

export const compareRunsRoute = (context: ContextOf<typeof compareRuns>) =>
  defineRoute({
    method: "GET",
    path: "/api/runs/{runId}/compare/{otherRunId}",
    name: "compareRuns",
    summary: "Compare two runs node by node: path, status, duration and values, and where they part",
    tag: "Runs",
    access: "key",
    answers: { 200: { description: "Every node of both runs, by time", schema: compareAnswer } },
    errors: ["invalid_run_id", "run_not_found"],
    async handle({ principal, params }) {
      const data = await compareRuns(context, principal, params.runId!, params.otherRunId!);
      return { status: 200, body: { success: true, data } };
    },
  });
