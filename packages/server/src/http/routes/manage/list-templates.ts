import { templatesAnswer } from "@millrace/contract/manage/templates";
import { listTemplates } from "../../../operations/templates/list-templates.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const listTemplatesRoute = (context: ContextOf<typeof listTemplates>) =>
  defineRoute({
    method: "GET",
    path: "/manage/templates",
    name: "listTemplates",
    summary: "List flows to begin with, each with its tests and a picture",
    tag: "Manage",
    access: "key",
    role: "viewer",
    answers: { 200: { description: "All of them, on one page", schema: templatesAnswer } },
    errors: [],
    async handle() {
      const data = await listTemplates(context);
      return { status: 200, body: { success: true, data: { data, pagination: {} } } };
    },
  });
