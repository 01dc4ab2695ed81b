import { flowGraphAnswer, flowGraphQuery } from "@millrace/contract/manage/flow-graph";
import { getFlowStructure } from "../../../operations/flows/get-flow-structure.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const getFlowGraphRoute = (context: ContextOf<typeof getFlowStructure>) =>
  defineRoute({
    method: "GET",
    path: "/manage/flows/{flowId}/graph",
    name: "getFlowGraph",
    summary: "How the nodes of a version of a flow are connected, without their inputs",
    tag: "Manage",
    access: "key",
    role: "viewer",
    query: flowGraphQuery,
    answers: { 200: { description: "Nodes and edges", schema: flowGraphAnswer } },
    errors: ["invalid_flow_id", "invalid_query", "flow_not_found"],
    async handle({ principal, params, query }) {
      const data = await getFlowStructure(context, principal, params.flowId!, query.version);
      return { status: 200, body: { success: true, data } };
    },
  });
