import { compareAnswer } from "@millrace/contract/compare";
import { writeJson } from "../../domain/json-text.ts";
import { driveSliced } from "../../domain/sliced.ts";
import { eventLoop } from "../../lifecycle/event-loop.ts";
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
      // It may be megabytes: others have their turn while it is written.
      const work = writeJson({ success: true, data });
      const body = await driveSliced(work, () => eventLoop.giveWay(principal.user.id));
      return { status: 200, headers: { "content-type": "application/json; charset=utf-8" }, body };
    },
  });
