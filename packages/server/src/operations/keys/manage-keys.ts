import type { CreateKeyBody, KeysQuery, RotateKeyBody } from "@millrace/contract/manage/keys";
import type { Actor } from "../../domain/actor.ts";
import { type Page, toPage, toPageRequest } from "../../domain/cursor.ts";
import { parseLifetimeMs } from "../../domain/lifetime.ts";
import { organizationFor, type Principal, reaches, requireRole } from "../../domain/principal.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Role } from "../../domain/role.ts";
import { findKeyHolder } from "../../storage/keys/find-key-holder.ts";
import { findKeyRole } from "../../storage/keys/find-key-role.ts";
import { listOrganizationKeys, type OrganizationKey } from "../../storage/keys/list-organization-keys.ts";
import { createKey, type CreatedKey, type KeyContext } from "./create-key.ts";
import { revokeKey } from "./revoke-key.ts";
import { NotRotatable, rotateKey, type RotatedKey } from "./rotate-key.ts";

export type { OrganizationKey };

export async function listKeys(
  { pool }: KeyContext,
  principal: Principal,
  query: KeysQuery,
): Promise<Page<OrganizationKey>> {
  const organizationId = organizationFor(principal, query.organizationId, "admin");
  const page = toPageRequest("keys", query);
  return toPage(page, await listOrganizationKeys(pool, organizationId, page));
}

/** Nobody makes a key that may do more than they. */
export async function createManagedKey(
  context: KeyContext,
  principal: Principal,
  actor: Actor,
  { role, name, userId = principal.user.id, expiresIn, ...asked }: CreateKeyBody,
): Promise<CreatedKey> {
  const organizationId = organizationFor(principal, asked.organizationId, "admin");
  requireRole(principal, organizationId, role);
  if ((await findKeyHolder(context.pool, { organizationId, userId })) === undefined)
    throw new Refusal("member_not_found");
  const lifetimeMs = lifetimeOf("expiresIn", expiresIn);
  return createKey(context, actor, { scope: "org", organizationId, userId, name, role, lifetimeMs });
}

/** Whoever rotates a key holds the new one, so it must not be able to do more than they. */
export async function rotateManagedKey(
  context: KeyContext,
  principal: Principal,
  actor: Actor,
  keyId: string,
  { overlap, expiresIn }: RotateKeyBody,
): Promise<RotatedKey> {
  const { organizationId, role } = await reachableKey(context, principal, keyId);
  requireRole(principal, organizationId, role);
  const overlapMs = overlap === "0" ? 0 : lifetimeOf("overlap", overlap);
  const lifetimeMs = expiresIn === undefined ? undefined : lifetimeOf("expiresIn", expiresIn);
  try {
    return await rotateKey(context, actor, { keyId, overlapMs, lifetimeMs });
  } catch (error) {
    throw error instanceof NotRotatable ? new Refusal("key_not_rotatable") : error;
  }
}

export async function revokeManagedKey(
  context: KeyContext,
  principal: Principal,
  actor: Actor,
  keyId: string,
): Promise<Date> {
  await reachableKey(context, principal, keyId);
  const revokedAt = await revokeKey(context, actor, keyId);
  if (!revokedAt) throw new Refusal("key_not_found");
  return revokedAt;
}

async function reachableKey(
  { pool }: KeyContext,
  principal: Principal,
  keyId: string,
): Promise<{ organizationId: string; role: Role }> {
  const found = await findKeyRole(pool, keyId, [...principal.organizations.keys()]);
  if (!found || !reaches(principal, found.organizationId)) throw new Refusal("key_not_found");
  requireRole(principal, found.organizationId, "admin");
  return found;
}

function lifetimeOf(field: string, text: string): number {
  const ms = parseLifetimeMs(text);
  if (ms) return ms;
  const message = "must be a time such as 12h, 90d or 4w, at most 3650d";
  throw new Refusal("invalid_request_body", { issues: [{ path: [field], message }] });
}
