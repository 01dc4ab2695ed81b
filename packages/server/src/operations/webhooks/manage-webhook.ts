import type { Actor } from "../../domain/actor.ts";
import type { IdMaker } from "../../domain/ids.ts";
import { secretPlace } from "../../domain/secret-place.ts";
import { type Db, type Pool, transaction } from "../../storage/pool.ts";
import type { SecretBox } from "../../storage/secret-box.ts";
import { deleteWebhook } from "../../storage/webhooks/delete-webhook.ts";
import { findWebhook, type StoredWebhook } from "../../storage/webhooks/find-webhook.ts";
import { setWebhookEnabled } from "../../storage/webhooks/set-webhook-enabled.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { makeWebhookToken } from "./make-webhook-token.ts";

export interface WebhookServices {
  readonly pool: Pool;
  readonly secrets: SecretBox;
  readonly ids: IdMaker;
}

export interface Webhook {
  readonly token: string;
  readonly enabled: boolean;
}

export async function showWebhook(
  { pool, secrets }: Omit<WebhookServices, "ids">,
  flowId: string,
): Promise<Webhook> {
  return opened(secrets, await existing(pool, flowId));
}

/** A new token; the old address answers no more. */
export async function regenerateWebhook(
  { pool, secrets, ids }: WebhookServices,
  actor: Actor,
  flowId: string,
): Promise<Webhook> {
  return transaction(pool, async (db) => {
    const { organizationId, enabled } = await existing(db, flowId);
    const token = await makeWebhookToken({ db, secrets }, organizationId, flowId);
    await recordAudit({ db, ids }, actor, { organizationId, action: "webhook.regenerate", target: flowId });
    return { token, enabled };
  });
}

export async function switchWebhook(
  { pool, secrets, ids }: WebhookServices,
  actor: Actor,
  flowId: string,
  enabled: boolean,
): Promise<Webhook> {
  return transaction(pool, async (db) => {
    const webhook = await existing(db, flowId);
    const { organizationId } = webhook;
    const action = enabled ? "webhook.enable" : "webhook.disable";
    if (await setWebhookEnabled(db, organizationId, flowId, enabled))
      await recordAudit({ db, ids }, actor, { organizationId, action, target: flowId });
    return opened(secrets, { ...webhook, enabled });
  });
}

export async function removeWebhook(
  { pool, ids }: WebhookServices,
  actor: Actor,
  flowId: string,
): Promise<void> {
  await transaction(pool, async (db) => {
    const { organizationId } = await existing(db, flowId);
    await deleteWebhook(db, organizationId, flowId);
    await recordAudit({ db, ids }, actor, { organizationId, action: "webhook.delete", target: flowId });
  });
}

function opened(
  secrets: SecretBox,
  { organizationId, flowId, tokenCiphertext, enabled }: StoredWebhook,
): Webhook {
  return { token: secrets.open(secretPlace(organizationId, "webhook", flowId), tokenCiphertext), enabled };
}

async function existing(db: Db, flowId: string): Promise<StoredWebhook> {
  const webhook = await findWebhook(db, flowId);
  if (webhook) return webhook;
  throw new Error(
    `The flow "${flowId}" does not exist or has no webhook; write "webhook: { enabled: true }" into its document and apply it.`,
  );
}
