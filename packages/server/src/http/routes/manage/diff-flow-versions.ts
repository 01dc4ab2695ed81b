import { flowDiffAnswer } from "@millrace/contract/manage/flows";
import { diffFlowVersions } from "../../../operations/manage-flows/read-versions.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const diffFlowVersionsRoute = (context: ContextOf<typeof diffFlowVersions>) =>
  defineRoute({
    method: "GET",
    path: "/manage/flows/{flowId}/versions/{version}/diff/{other}",
    name: "diffFlowVersions",
    summary: "Say in words what changed from one version to another; either may be `draft`",
    tag: "Manage",
    access: "key",
    role: "viewer",
    answers: { 200: { description: "The difference", schema: flowDiffAnswer } },
    errors: ["invalid_flow_id", "flow_not_found", "version_not_found"],
    async handle({ principal, params }) {
      const versions = { version: params.version!, other: params.other! };
      const data = await diffFlowVersions(context, principal, params.flowId!, versions);
      return { status: 200, body: { success: true, data } };
    },
  });
