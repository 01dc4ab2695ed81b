import { whyAnswer } from "@millrace/contract/why";
import { explainRun } from "../../operations/why/explain-run.ts";
import { presentWhy } from "../presenters/why.ts";
import { type ContextOf, defineRoute } from "../route.ts";

export const explainRunRoute = (context: ContextOf<typeof explainRun>) =>
  defineRoute({
    method: "GET",
    path: "/api/runs/{runId}/why",
    name: "explainRun",
    summary: "Why a run waits, since when, until when, and what can be done about it",
    tag: "Runs",
    access: "key",
    answers: { 200: { description: "The cause and a sentence about it", schema: whyAnswer } },
    errors: ["invalid_run_id", "run_not_found"],
    async handle({ principal, params, locale }) {
      const explanation = await explainRun(context, principal, params.runId!);
      return { status: 200, body: { success: true, data: presentWhy(explanation, locale) } };
    },
  });
