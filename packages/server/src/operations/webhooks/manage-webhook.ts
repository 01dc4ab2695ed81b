import { secretPlace } from "../../domain/secret-place.ts";
import type { Pool } from "../../storage/pool.ts";
import type { SecretBox } from "../../storage/secret-box.ts";
import { deleteWebhook } from "../../storage/webhooks/delete-webhook.ts";
import { findWebhook, type StoredWebhook } from "../../storage/webhooks/find-webhook.ts";
import { setWebhookEnabled } from "../../storage/webhooks/set-webhook-enabled.ts";
import { makeWebhookToken } from "./make-webhook-token.ts";

export interface WebhookServices {
  readonly pool: Pool;
  readonly secrets: SecretBox;
}

export interface Webhook {
  readonly token: string;
  readonly enabled: boolean;
}

export async function showWebhook({ pool, secrets }: WebhookServices, flowId: string): Promise<Webhook> {
  const { organizationId, tokenCiphertext, enabled } = await existing(pool, flowId);
  return { token: secrets.open(secretPlace(organizationId, "webhook", flowId), tokenCiphertext), enabled };
}

/** A new token; the old address answers no more. */
export async function regenerateWebhook(
  { pool, secrets }: WebhookServices,
  flowId: string,
): Promise<Webhook> {
  const { organizationId, enabled } = await existing(pool, flowId);
  return { token: await makeWebhookToken({ db: pool, secrets }, organizationId, flowId), enabled };
}

export async function switchWebhook(
  services: WebhookServices,
  flowId: string,
  enabled: boolean,
): Promise<Webhook> {
  const { organizationId } = await existing(services.pool, flowId);
  await setWebhookEnabled(services.pool, organizationId, flowId, enabled);
  return showWebhook(services, flowId);
}

export async function removeWebhook({ pool }: WebhookServices, flowId: string): Promise<void> {
  const { organizationId } = await existing(pool, flowId);
  await deleteWebhook(pool, organizationId, flowId);
}

async function existing(pool: Pool, flowId: string): Promise<StoredWebhook> {
  const webhook = await findWebhook(pool, flowId);
  if (webhook) return webhook;
  throw new Error(
    `The flow "${flowId}" does not exist or has no webhook; write "webhook: { enabled: true }" into its document and apply it.`,
  );
}
