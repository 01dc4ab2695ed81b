import { webhookDeletedAnswer } from "@millrace/contract/manage/webhooks";
import { removeManagedWebhook } from "../../../operations/webhooks/managed-webhooks.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const deleteWebhookRoute = (context: ContextOf<typeof removeManagedWebhook>) =>
  defineRoute({
    method: "DELETE",
    path: "/manage/webhooks/{flowId}",
    name: "deleteWebhook",
    summary: "Delete the webhook of a flow; applying its document makes a new one",
    tag: "Manage",
    access: "key",
    role: "admin",
    answers: { 200: { description: "It is deleted", schema: webhookDeletedAnswer } },
    errors: ["invalid_flow_id", "webhook_not_found"],
    async handle({ principal, actor, params }) {
      const flowId = params.flowId!;
      await removeManagedWebhook(context, principal, actor, flowId);
      return { status: 200, body: { success: true, data: { flowId, deleted: true } } };
    },
  });
