import { variablesAnswer, variablesQuery } from "@millrace/contract/manage/variables";
import { getVariables } from "../../../operations/variables/manage-variables.ts";
import { presentVariables } from "../../presenters/variables.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const getVariablesRoute = (context: ContextOf<typeof getVariables>) =>
  defineRoute({
    method: "GET",
    path: "/manage/variables",
    name: "getVariables",
    summary: "Get the variables of an organization, which expressions read as vars",
    tag: "Manage",
    access: "key",
    role: "viewer",
    query: variablesQuery,
    answers: { 200: { description: "The version in force, or the one asked for", schema: variablesAnswer } },
    errors: ["organization_access_denied", "variables_not_found"],
    async handle({ principal, query }) {
      const data = presentVariables(await getVariables(context, principal, query));
      return { status: 200, body: { success: true, data } };
    },
  });
