import { deleteFlowQuery, flowDeletionAnswer } from "@millrace/contract/manage/flows";
import { previewDeletion } from "../../../operations/manage-flows/delete-flow.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const previewFlowDeletionRoute = (context: ContextOf<typeof previewDeletion>) =>
  defineRoute({
    method: "GET",
    path: "/manage/flows/{flowId}/deletion",
    name: "previewFlowDeletion",
    summary: "Say what deleting a flow means for its runs, schedules and webhook",
    tag: "Manage",
    access: "key",
    role: "viewer",
    query: deleteFlowQuery,
    answers: { 200: { description: "What would become of them", schema: flowDeletionAnswer } },
    errors: ["invalid_flow_id", "flow_not_found"],
    async handle({ principal, params, query }) {
      const data = await previewDeletion(context, principal, params.flowId!, query);
      return { status: 200, body: { success: true, data } };
    },
  });
