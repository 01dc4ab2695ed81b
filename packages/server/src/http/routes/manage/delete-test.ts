import { testDeletedAnswer } from "@millrace/contract/manage/replays";
import { removeTest } from "../../../operations/flow-tests/manage-tests.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const deleteTestRoute = (context: ContextOf<typeof removeTest>) =>
  defineRoute({
    method: "DELETE",
    path: "/manage/flows/{flowId}/tests/{testId}",
    name: "deleteFlowTest",
    summary: "Remove a test that is stored with a flow",
    tag: "Manage",
    access: "key",
    role: "admin",
    answers: { 200: { description: "Removed", schema: testDeletedAnswer } },
    errors: ["invalid_flow_id", "invalid_id", "access_denied", "flow_not_found", "test_not_found"],
    async handle({ principal, actor, params }) {
      const place = { flowId: params.flowId!, testId: params.testId! };
      await removeTest(context, { principal, actor }, place);
      const data = { flowId: place.flowId, id: place.testId };
      return { status: 200, body: { success: true, data } };
    },
  });
