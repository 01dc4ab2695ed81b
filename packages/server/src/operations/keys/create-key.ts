import { apiKeyHint, hashApiKey, type KeyScope, makeApiKey } from "../../domain/api-key.ts";
import type { IdMaker } from "../../domain/ids.ts";
import { findOrganizations } from "../../storage/catalogue/find-organizations.ts";
import { findKeyHolder } from "../../storage/keys/find-key-holder.ts";
import { insertKey } from "../../storage/keys/insert-key.ts";
import type { Db } from "../../storage/pool.ts";

const DEFAULT_KEY_LIFETIME_MS = 365 * 86_400_000;

export interface KeyRequest {
  readonly scope: KeyScope;
  /** Needed for an organization key; for a user key it only helps to find the user. */
  readonly organizationId?: string;
  /** The organization's first owner where left out. */
  readonly userId?: string;
  readonly name: string;
  readonly lifetimeMs?: number;
}

export interface CreatedKey {
  readonly id: string;
  /** Shown this once; only its hash is kept. */
  readonly key: string;
  readonly scope: KeyScope;
  readonly organizationId: string | null;
  readonly userId: string;
  readonly expiresAt: Date;
}

export async function createKey(db: Db, ids: IdMaker, request: KeyRequest): Promise<CreatedKey> {
  const { scope, organizationId, lifetimeMs = DEFAULT_KEY_LIFETIME_MS } = request;
  const userId = await holderOf(db, request);
  const key = makeApiKey(scope);
  const id = ids.make("key");
  const owner = scope === "org" ? organizationId! : null;
  const expiresAt = await insertKey(db, {
    id,
    scope,
    organizationId: owner,
    userId,
    hash: hashApiKey(key),
    hint: apiKeyHint(key),
    name: request.name,
    lifetimeMs,
  });
  return { id, key, scope, organizationId: owner, userId, expiresAt };
}

async function holderOf(db: Db, { organizationId, userId }: KeyRequest): Promise<string> {
  if (organizationId !== undefined && !(await findOrganizations(db, [organizationId])).has(organizationId)) {
    throw new Error(`There is no organization "${organizationId}"; see: millrace orgs list`);
  }
  const holder = await findKeyHolder(db, { organizationId, userId });
  if (holder !== undefined) return holder;
  if (userId === undefined) throw new Error(`"${organizationId}" has no owner; name a member with --user.`);
  if (organizationId === undefined) throw new Error(`There is no user "${userId}"; see: millrace users list`);
  throw new Error(
    `"${userId}" is not a member of "${organizationId}"; see: millrace users list --org ${organizationId}`,
  );
}
