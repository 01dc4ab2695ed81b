import { storedTestsAnswer } from "@millrace/contract/manage/replays";
import { listTests } from "../../../operations/flow-tests/manage-tests.ts";
import { presentTest } from "../../presenters/stored-test.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const listTestsRoute = (context: ContextOf<typeof listTests>) =>
  defineRoute({
    method: "GET",
    path: "/manage/flows/{flowId}/tests",
    name: "listFlowTests",
    summary: "List the tests that are stored with a flow",
    tag: "Manage",
    access: "key",
    role: "member",
    answers: { 200: { description: "All of them, on one page", schema: storedTestsAnswer } },
    errors: ["invalid_flow_id", "access_denied", "flow_not_found"],
    async handle({ principal, params }) {
      const rows = await listTests(context, principal, params.flowId!);
      const data = { data: rows.map(presentTest), pagination: {} };
      return { status: 200, body: { success: true, data } };
    },
  });
