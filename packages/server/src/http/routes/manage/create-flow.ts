import { createFlowBody, flowCreatedAnswer } from "@millrace/contract/manage/flows";
import { createFlow } from "../../../operations/manage-flows/create-flow.ts";
import { MAX_DOCUMENTS_BYTES } from "./plan-documents.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const createFlowRoute = (context: ContextOf<typeof createFlow>) =>
  defineRoute({
    method: "POST",
    path: "/manage/flows",
    name: "createFlow",
    summary: "Make a flow that is nothing but a draft: from a template, as a copy, or from nothing",
    tag: "Manage",
    access: "key",
    role: "admin",
    body: createFlowBody,
    bodyLimitBytes: MAX_DOCUMENTS_BYTES,
    answers: { 201: { description: "Made; nothing of it is in force", schema: flowCreatedAnswer } },
    errors: [
      "access_denied",
      "organization_access_denied",
      "flow_not_found",
      "template_not_found",
      "flow_id_taken",
      "service_unavailable",
    ],
    async handle({ principal, actor, body }) {
      const data = await createFlow(context, { principal, actor }, body);
      return { status: 201, body: { success: true, data } };
    },
  });
