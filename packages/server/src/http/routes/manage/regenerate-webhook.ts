import { webhookAnswer } from "@millrace/contract/manage/webhooks";
import { regenerateManagedWebhook } from "../../../operations/webhooks/managed-webhooks.ts";
import { presentWebhook } from "../../presenters/webhook.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const regenerateWebhookRoute = (context: ContextOf<typeof regenerateManagedWebhook>) =>
  defineRoute({
    method: "POST",
    path: "/manage/webhooks/{flowId}/regenerate",
    name: "regenerateWebhook",
    summary: "Give the webhook of a flow a new address; the old one is refused at once",
    tag: "Manage",
    access: "key",
    role: "admin",
    answers: { 200: { description: "The webhook", schema: webhookAnswer } },
    errors: ["invalid_flow_id", "webhook_not_found"],
    async handle({ principal, actor, params }) {
      const webhook = await regenerateManagedWebhook(context, principal, actor, params.flowId!);
      return { status: 200, body: { success: true, data: presentWebhook(webhook) } };
    },
  });
