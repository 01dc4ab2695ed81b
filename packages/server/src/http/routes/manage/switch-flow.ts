import { managedFlowAnswer } from "@millrace/contract/manage/flows";
import { setActive } from "../../../operations/manage-flows/set-active.ts";
import { presentManagedFlow } from "../../presenters/managed-flow.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

/** What `activate` and `deactivate` of a flow have in common. */
export function switchFlow(
  context: ContextOf<typeof setActive>,
  verb: "activate" | "deactivate",
  summary: string,
) {
  return defineRoute({
    method: "POST",
    path: `/manage/flows/{flowId}/${verb}`,
    name: `${verb}Flow`,
    summary,
    tag: "Manage",
    access: "key",
    role: "admin",
    answers: { 200: { description: "The flow", schema: managedFlowAnswer } },
    errors: ["invalid_flow_id", "access_denied", "flow_not_found"],
    async handle({ principal, actor, params }) {
      const flow = await setActive(context, { principal, actor }, params.flowId!, verb === "activate");
      return { status: 200, body: { success: true, data: presentManagedFlow(flow) } };
    },
  });
}
