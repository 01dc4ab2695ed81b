import type { FlowDocument } from "@millrace/contract/documents/flow";
import { deleteWebhook } from "../../storage/webhooks/delete-webhook.ts";
import { findWebhook } from "../../storage/webhooks/find-webhook.ts";
import { delayMs } from "@millrace/contract/duration";
import { setWebhookEnabled } from "../../storage/webhooks/set-webhook-enabled.ts";
import { setWebhookRespond } from "../../storage/webhooks/set-webhook-respond.ts";
import { makeWebhookToken } from "../webhooks/make-webhook-token.ts";
import type { ApplyContext } from "./apply-context.ts";

/** True where the webhook changed. A known token stays what it is; the document only switches it. */
export async function putFlowWebhook(
  { db, secrets }: ApplyContext,
  { organizationId, id, webhook }: FlowDocument,
): Promise<boolean> {
  if (!webhook) return deleteWebhook(db, organizationId, id);
  const stored = await findWebhook(db, id);
  const waitMs = webhook.respond ? delayMs(webhook.respond.wait) : null;
  if (stored) {
    const responds = await setWebhookRespond(db, organizationId, id, waitMs);
    return (await setWebhookEnabled(db, organizationId, id, webhook.enabled)) || responds;
  }
  await makeWebhookToken({ db, secrets }, organizationId, id);
  await setWebhookRespond(db, organizationId, id, waitMs);
  // One that is switched off has an address too, so that it can be given away before it is switched on.
  if (!webhook.enabled) await setWebhookEnabled(db, organizationId, id, false);
  return true;
}
