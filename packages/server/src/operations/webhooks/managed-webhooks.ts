import type { WebhooksQuery } from "@millrace/contract/manage/webhooks";
import type { Actor } from "../../domain/actor.ts";
import { type Page, toPageRequest } from "../../domain/cursor.ts";
import { pageById } from "../../domain/page-by-id.ts";
import { organizationFor, type Principal, reaches, requireRole } from "../../domain/principal.ts";
import { Refusal } from "../../domain/refusal.ts";
import { secretPlace } from "../../domain/secret-place.ts";
import { findWebhook } from "../../storage/webhooks/find-webhook.ts";
import { listWebhooks as readWebhooks } from "../../storage/webhooks/list-webhooks.ts";
import { regenerateWebhook, removeWebhook, switchWebhook, type WebhookServices } from "./manage-webhook.ts";

export interface ManagedWebhookContext extends WebhookServices {
  /** Where senders post to. */
  readonly webUrl: () => string;
}

export interface AddressedWebhook {
  /** Of the flow. */
  readonly id: string;
  readonly enabled: boolean;
  readonly url: string;
}

/** The addresses are as good as keys, so those who may only look do not see them. */
export async function listWebhooks(
  context: ManagedWebhookContext,
  principal: Principal,
  query: WebhooksQuery,
): Promise<Page<AddressedWebhook>> {
  const organizationId = organizationFor(principal, query.organizationId, "admin");
  const page = pageById(toPageRequest("webhooks", query), await readWebhooks(context.pool, organizationId));
  const items = page.items.map(({ id, enabled, tokenCiphertext }) => {
    const token = context.secrets.open(secretPlace(organizationId, "webhook", id), tokenCiphertext);
    return addressed(context, id, { token, enabled });
  });
  return { ...page, items };
}

export async function regenerateManagedWebhook(
  context: ManagedWebhookContext,
  principal: Principal,
  actor: Actor,
  flowId: string,
): Promise<AddressedWebhook> {
  await requireWebhook(context, principal, flowId);
  return addressed(context, flowId, await regenerateWebhook(context, actor, flowId));
}

export async function switchManagedWebhook(
  context: ManagedWebhookContext,
  principal: Principal,
  actor: Actor,
  flowId: string,
  enabled: boolean,
): Promise<AddressedWebhook> {
  await requireWebhook(context, principal, flowId);
  return addressed(context, flowId, await switchWebhook(context, actor, flowId, enabled));
}

export async function removeManagedWebhook(
  context: ManagedWebhookContext,
  principal: Principal,
  actor: Actor,
  flowId: string,
): Promise<void> {
  await requireWebhook(context, principal, flowId);
  await removeWebhook(context, actor, flowId);
}

async function requireWebhook(
  { pool }: WebhookServices,
  principal: Principal,
  flowId: string,
): Promise<void> {
  const found = await findWebhook(pool, flowId);
  if (!found || !reaches(principal, found.organizationId)) throw new Refusal("webhook_not_found");
  requireRole(principal, found.organizationId, "admin");
}

function addressed(
  { webUrl }: ManagedWebhookContext,
  flowId: string,
  { token, enabled }: { readonly token: string; readonly enabled: boolean },
): AddressedWebhook {
  return { id: flowId, enabled, url: `${webUrl()}/app/webhooks/millrace/${flowId}/${token}` };
}
