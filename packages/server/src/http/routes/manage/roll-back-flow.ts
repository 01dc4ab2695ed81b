import { publishedAnswer, rollbackBody } from "@millrace/contract/manage/flows";
import { rollBack } from "../../../operations/manage-flows/roll-back.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const rollBackFlowRoute = (context: ContextOf<typeof rollBack>) =>
  defineRoute({
    method: "POST",
    path: "/manage/flows/{flowId}/rollback",
    name: "rollBackFlow",
    summary: "Put an earlier version of a flow in force again",
    tag: "Manage",
    access: "key",
    role: "admin",
    body: rollbackBody,
    answers: { 200: { description: "In force for every trigger from now on", schema: publishedAnswer } },
    errors: [
      "invalid_flow_id",
      "flow_validation_failed",
      "access_denied",
      "flow_not_found",
      "version_not_found",
    ],
    async handle({ principal, actor, params, body }) {
      const data = await rollBack(context, { principal, actor }, params.flowId!, body);
      return { status: 200, body: { success: true, data } };
    },
  });
