import { putTestBody, storedTestAnswer } from "@millrace/contract/manage/replays";
import { putTest } from "../../../operations/flow-tests/manage-tests.ts";
import { presentTest } from "../../presenters/stored-test.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const putTestRoute = (context: ContextOf<typeof putTest>) =>
  defineRoute({
    method: "PUT",
    path: "/manage/flows/{flowId}/tests/{testId}",
    name: "putFlowTest",
    summary: "Store a test with its flow, in the place of one with the same id",
    tag: "Manage",
    access: "key",
    role: "admin",
    body: putTestBody,
    answers: { 200: { description: "The test", schema: storedTestAnswer } },
    errors: ["invalid_flow_id", "invalid_id", "access_denied", "flow_not_found"],
    async handle({ principal, actor, params, body }) {
      const place = { flowId: params.flowId!, testId: params.testId! };
      const stored = await putTest(context, { principal, actor }, place, body);
      return { status: 200, body: { success: true, data: presentTest(stored) } };
    },
  });
