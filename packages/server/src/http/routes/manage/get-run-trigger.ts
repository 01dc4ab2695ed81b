import { runTriggerAnswer } from "@millrace/contract/manage/run-values";
import { getRunTrigger } from "../../../operations/run-values/get-run-trigger.ts";
import { presentRunTrigger } from "../../presenters/run-values.ts";
import { rawAnswer } from "../../raw-json.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const getRunTriggerRoute = (context: ContextOf<typeof getRunTrigger>) =>
  defineRoute({
    method: "GET",
    path: "/manage/runs/{runId}/trigger",
    name: "getRunTrigger",
    summary: "Get what a run was started with: trigger, data and inputs",
    tag: "Manage",
    access: "key",
    role: "viewer",
    answers: { 200: { description: "What the trigger brought", schema: runTriggerAnswer } },
    errors: ["invalid_run_id", "run_not_found"],
    async handle({ principal, params }) {
      const trigger = await getRunTrigger(context, principal, params.runId!);
      return rawAnswer({ success: true, data: presentRunTrigger(trigger) });
    },
  });
