import { flowVersionsAnswer, versionsQuery } from "@millrace/contract/manage/flows";
import { listFlowVersions } from "../../../operations/manage-flows/read-versions.ts";
import { presentPage } from "../../presenters/list.ts";
import { presentVersion } from "../../presenters/managed-flow.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const listFlowVersionsRoute = (context: ContextOf<typeof listFlowVersions>) =>
  defineRoute({
    method: "GET",
    path: "/manage/flows/{flowId}/versions",
    name: "listFlowVersions",
    summary: "List the versions of a flow with author, time and note, newest first",
    tag: "Manage",
    access: "key",
    role: "viewer",
    query: versionsQuery,
    answers: { 200: { description: "A page of versions", schema: flowVersionsAnswer } },
    errors: ["invalid_flow_id", "flow_not_found"],
    async handle({ principal, params, query }) {
      const page = await listFlowVersions(context, principal, params.flowId!, query);
      return { status: 200, body: presentPage(page, presentVersion) };
    },
  });
