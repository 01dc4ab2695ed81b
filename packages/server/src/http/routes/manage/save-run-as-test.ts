import { savedTestAnswer, saveTestBody } from "@millrace/contract/manage/replays";
import { saveRunAsTest } from "../../../operations/flow-tests/save-run-as-test.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const saveRunAsTestRoute = (context: ContextOf<typeof saveRunAsTest>) =>
  defineRoute({
    method: "POST",
    path: "/manage/runs/{runId}/test",
    name: "saveRunAsTest",
    summary: "Make a test of its flow out of a run, with the values that may be kept",
    tag: "Manage",
    access: "key",
    role: "member",
    body: saveTestBody,
    answers: { 200: { description: "The test; nothing is stored", schema: savedTestAnswer } },
    errors: ["invalid_run_id", "access_denied", "run_not_found", "service_unavailable"],
    async handle({ principal, params, body }) {
      const data = await saveRunAsTest(context, principal, params.runId!, body);
      return { status: 200, body: { success: true, data } };
    },
  });
