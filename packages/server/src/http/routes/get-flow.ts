import { flowAnswer } from "@millrace/contract/flows";
import type { GetFlow } from "../../operations/flows/get-flow.ts";
import { presentFlow } from "../presenters/flow.ts";
import { defineRoute } from "../route.ts";

export const getFlow = (operation: GetFlow) =>
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
      return {
        status: 200,
        body: { success: true, data: presentFlow(await operation(principal, params.flowId!)) },
      };
    },
  });
