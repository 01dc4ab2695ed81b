import { variableVersionsAnswer, variableVersionsQuery } from "@millrace/contract/manage/variables";
import { listVersionsOfVariables } from "../../../operations/variables/manage-variables.ts";
import { presentPage } from "../../presenters/list.ts";
import { presentVariableVersion } from "../../presenters/variables.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const listVariableVersionsRoute = (context: ContextOf<typeof listVersionsOfVariables>) =>
  defineRoute({
    method: "GET",
    path: "/manage/variables/versions",
    name: "listVariableVersions",
    summary: "List the versions of the variables of an organization, newest first",
    tag: "Manage",
    access: "key",
    role: "viewer",
    query: variableVersionsQuery,
    answers: { 200: { description: "A page of versions", schema: variableVersionsAnswer } },
    errors: ["organization_access_denied"],
    async handle({ principal, query }) {
      const page = await listVersionsOfVariables(context, principal, query);
      return { status: 200, body: presentPage(page, presentVariableVersion) };
    },
  });
