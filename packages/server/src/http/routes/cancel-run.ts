import { cancelRunQuery, runCanceledAnswer } from "@millrace/contract/trigger";
import { cancelRun } from "../../operations/runs/cancel-run.ts";
import { type ContextOf, defineRoute } from "../route.ts";

export const cancelRunRoute = (context: ContextOf<typeof cancelRun>) =>
  defineRoute({
    method: "POST",
    path: "/api/runs/{runId}/cancel",
    name: "cancelRun",
    summary: "Cancel a run that is waiting or executing; with paused=true also one that is paused",
    tag: "Runs",
    access: "key",
    query: cancelRunQuery,
    answers: { 200: { description: "The run is cancelled", schema: runCanceledAnswer } },
    errors: ["invalid_run_id", "invalid_query", "run_not_cancelable", "access_denied", "run_not_found"],
    async handle({ principal, actor, params, query }) {
      const { canceledAt } = await cancelRun(context, principal, actor, params.runId!, query);
      return {
        status: 200,
        body: {
          success: true,
          data: { id: params.runId!, status: "CANCELED", canceledAt: canceledAt.toISOString() },
        },
      };
    },
  });
