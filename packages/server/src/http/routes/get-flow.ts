import { flowAnswer } from "@millrace/contract/flows";
import { describeFlow } from "../../operations/flows/get-flow.ts";
import { presentFlow } from "../presenters/flow.ts";
import { type ContextOf, defineRoute } from "../route.ts";

export const getFlowRoute = (context: ContextOf<typeof describeFlow>) =>
  defineRoute({
    method: "GET",
    path: "/api/flows/{flowId}",
    name: "getFlow",
    summary: "Get the metadata of one flow",
    tag: "Flows",
    access: "key",
    answers: { 200: { description: "The flow, without its graph", schema: flowAnswer } },
    errors: ["invalid_flow_id", "organization_access_denied", "flow_not_found"],
    async handle({ principal, params }) {
      const { flow, settings } = await describeFlow(context, principal, params.flowId!);
      return { status: 200, body: { success: true, data: presentFlow(flow, settings) } };
    },
  });
