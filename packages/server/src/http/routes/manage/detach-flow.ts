import { managedFlowAnswer } from "@millrace/contract/manage/flows";
import { detach } from "../../../operations/manage-flows/detach-flow.ts";
import { presentManagedFlow } from "../../presenters/managed-flow.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const detachFlowRoute = (context: ContextOf<typeof detach>) =>
  defineRoute({
    method: "POST",
    path: "/manage/flows/{flowId}/detach",
    name: "detachFlow",
    summary: "Let the console keep the document of a flow, until the next apply of it",
    tag: "Manage",
    access: "key",
    role: "admin",
    answers: { 200: { description: "The flow", schema: managedFlowAnswer } },
    errors: ["invalid_flow_id", "access_denied", "flow_not_found"],
    async handle({ principal, actor, params }) {
      const flow = await detach(context, { principal, actor }, params.flowId!);
      return { status: 200, body: { success: true, data: presentManagedFlow(flow) } };
    },
  });
