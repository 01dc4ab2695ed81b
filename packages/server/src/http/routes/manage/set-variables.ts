import { setVariablesBody, variablesAnswer } from "@millrace/contract/manage/variables";
import { setVariables } from "../../../operations/variables/manage-variables.ts";
import { presentVariables } from "../../presenters/variables.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const setVariablesRoute = (context: ContextOf<typeof setVariables>) =>
  defineRoute({
    method: "PUT",
    path: "/manage/variables",
    name: "setVariables",
    summary: "Set the variables of an organization, all of them, on top of the version that was read",
    tag: "Manage",
    access: "key",
    role: "admin",
    body: setVariablesBody,
    answers: { 200: { description: "In force for runs that are made from now on", schema: variablesAnswer } },
    errors: ["access_denied", "organization_access_denied", "variables_changed"],
    async handle({ principal, actor, body }) {
      const data = presentVariables(await setVariables(context, principal, actor, body));
      return { status: 200, body: { success: true, data } };
    },
  });
