import { webhooksAnswer, webhooksQuery } from "@millrace/contract/manage/webhooks";
import { listWebhooks } from "../../../operations/webhooks/managed-webhooks.ts";
import { presentPage } from "../../presenters/list.ts";
import { presentWebhook } from "../../presenters/webhook.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const listWebhooksRoute = (context: ContextOf<typeof listWebhooks>) =>
  defineRoute({
    method: "GET",
    path: "/manage/webhooks",
    name: "listWebhooks",
    summary: "List the inbound webhooks of an organization with their addresses",
    tag: "Manage",
    access: "key",
    role: "admin",
    query: webhooksQuery,
    answers: { 200: { description: "A page of webhooks", schema: webhooksAnswer } },
    errors: ["organization_access_denied"],
    async handle({ principal, query }) {
      return {
        status: 200,
        body: presentPage(await listWebhooks(context, principal, query), presentWebhook),
      };
    },
  });
