import { apiKeyHint, hashApiKey, type KeyScope, makeApiKey } from "../../domain/api-key.ts";
import type { Actor } from "../../domain/actor.ts";
import type { IdMaker } from "../../domain/ids.ts";
import type { Role } from "../../domain/role.ts";
import { findOrganizations } from "../../storage/catalogue/find-organizations.ts";
import { findKeyHolder } from "../../storage/keys/find-key-holder.ts";
import { insertKey } from "../../storage/keys/insert-key.ts";
import { type Db, type Pool, transaction } from "../../storage/pool.ts";
import { auditKey } from "./audit-key.ts";

const DEFAULT_KEY_LIFETIME_MS = 365 * 86_400_000;

export interface KeyRequest {
  readonly scope: KeyScope;
  /** Needed for an organization key; for a user key it only helps to find the user. */
  readonly organizationId?: string;
  /** The organization's first owner where left out. */
  readonly userId?: string;
  readonly name: string;
  /** The key can do what both its user and this role may; `member` where left out. */
  readonly role?: Role;
  readonly lifetimeMs?: number;
}

export interface CreatedKey {
  readonly id: string;
  /** Shown this once; only its hash is kept. */
  readonly key: string;
  readonly scope: KeyScope;
  readonly role: Role;
  readonly organizationId: string | null;
  readonly userId: string;
  readonly expiresAt: Date;
}

export interface KeyContext {
  readonly pool: Pool;
  readonly ids: IdMaker;
}

export async function createKey(
  { pool, ids }: KeyContext,
  actor: Actor,
  request: KeyRequest,
): Promise<CreatedKey> {
  const { scope, name, role = "member", organizationId, lifetimeMs = DEFAULT_KEY_LIFETIME_MS } = request;
  return transaction(pool, async (db) => {
    const userId = await holderOf(db, request);
    const key = makeApiKey(scope);
    const id = ids.make("key");
    const owner = scope === "org" ? organizationId! : null;
    const shown = { id, scope, role, organizationId: owner, userId };
    const stored = { hash: hashApiKey(key), hint: apiKeyHint(key), name, lifetimeMs };
    const expiresAt = await insertKey(db, { ...shown, ...stored });
    const after = { name, scope, role, userId, expiresAt };
    await auditKey({ db, ids }, actor, { keyId: id, action: "key.create", after });
    return { ...shown, key, expiresAt };
  });
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
