import { webhookAnswer } from "@millrace/contract/manage/webhooks";
import { switchManagedWebhook } from "../../../operations/webhooks/managed-webhooks.ts";
import { presentWebhook } from "../../presenters/webhook.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

type Context = ContextOf<typeof switchManagedWebhook>;

export const enableWebhookRoute = (context: Context) =>
  switchRoute(context, "enable", "Let the webhook of a flow start it");

export const disableWebhookRoute = (context: Context) =>
  switchRoute(context, "disable", "Refuse starts by the webhook of a flow, and keep its address");

function switchRoute(context: Context, verb: "enable" | "disable", summary: string) {
  return defineRoute({
    method: "POST",
    path: `/manage/webhooks/{flowId}/${verb}`,
    name: `${verb}Webhook`,
    summary,
    tag: "Manage",
    access: "key",
    role: "admin",
    answers: { 200: { description: "The webhook", schema: webhookAnswer } },
    errors: ["invalid_flow_id", "webhook_not_found"],
    async handle({ principal, actor, params }) {
      const enabled = verb === "enable";
      const webhook = await switchManagedWebhook(context, principal, actor, params.flowId!, enabled);
      return { status: 200, body: { success: true, data: presentWebhook(webhook) } };
    },
  });
}
