import { deleteFlowQuery, flowDeletedAnswer } from "@millrace/contract/manage/flows";
import { removeFlow } from "../../../operations/manage-flows/delete-flow.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const deleteFlowRoute = (context: ContextOf<typeof removeFlow>) =>
  defineRoute({
    method: "DELETE",
    path: "/manage/flows/{flowId}",
    name: "deleteFlow",
    summary:
      "Delete a flow; its waiting and paused runs are cancelled unless runs=keep, those that execute go on",
    tag: "Manage",
    access: "key",
    role: "admin",
    query: deleteFlowQuery,
    answers: { 200: { description: "What became of its runs", schema: flowDeletedAnswer } },
    errors: ["invalid_flow_id", "access_denied", "flow_not_found"],
    async handle({ principal, actor, params, query }) {
      const { deletedAt, ...deletion } = await removeFlow(
        context,
        { principal, actor },
        params.flowId!,
        query,
      );
      const data = { ...deletion, deletedAt: deletedAt.toISOString() };
      return { status: 200, body: { success: true, data } };
    },
  });
