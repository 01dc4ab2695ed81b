import { flowVersionAnswer } from "@millrace/contract/manage/flows";
import { getFlowVersion } from "../../../operations/manage-flows/read-versions.ts";
import { presentVersion } from "../../presenters/managed-flow.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const getFlowVersionRoute = (context: ContextOf<typeof getFlowVersion>) =>
  defineRoute({
    method: "GET",
    path: "/manage/flows/{flowId}/versions/{version}",
    name: "getFlowVersion",
    summary: "Get a version of a flow with its graph and settings",
    tag: "Manage",
    access: "key",
    role: "viewer",
    answers: { 200: { description: "The version", schema: flowVersionAnswer } },
    errors: ["invalid_flow_id", "flow_not_found", "version_not_found"],
    async handle({ principal, params }) {
      const { graph, settings, ...version } = await getFlowVersion(
        context,
        principal,
        params.flowId!,
        params.version!,
      );
      const data = {
        ...presentVersion({ ...version, nodes: graph.nodes.length }),
        graph,
        settings: settings ?? {},
      };
      return { status: 200, body: { success: true, data } };
    },
  });
