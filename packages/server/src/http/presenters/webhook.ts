import type { ManagedWebhook } from "@millrace/contract/manage/webhooks";
import type { AddressedWebhook } from "../../operations/webhooks/managed-webhooks.ts";

export function presentWebhook({ id, enabled, url }: AddressedWebhook): ManagedWebhook {
  return { flowId: id, enabled, url };
}
