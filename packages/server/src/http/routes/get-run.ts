import { runAnswer } from "@millrace/contract/runs";
import { getRun } from "../../operations/runs/get-run.ts";
import { presentRunDetail } from "../presenters/run.ts";
import { rawAnswer } from "../raw-json.ts";
import { type ContextOf, defineRoute } from "../route.ts";

export const getRunRoute = (context: ContextOf<typeof getRun>) =>
  defineRoute({
    method: "GET",
    path: "/api/runs/{runId}",
    name: "getRun",
    summary: "Get one run with its output, error or pause",
    tag: "Runs",
    access: "key",
    answers: { 200: { description: "The run", schema: runAnswer } },
    errors: ["invalid_run_id", "run_not_found"],
    async handle({ principal, params }) {
      const seen = await getRun(context, principal, params.runId!);
      return rawAnswer({ success: true, data: presentRunDetail(seen) });
    },
  });
