import { apiKeyHint, hashApiKey, makeApiKey } from "../../domain/api-key.ts";
import type { Actor } from "../../domain/actor.ts";
import { insertKey } from "../../storage/keys/insert-key.ts";
import { type LockedKey, lockKey } from "../../storage/keys/lock-key.ts";
import { retireKey } from "../../storage/keys/retire-key.ts";
import { transaction } from "../../storage/pool.ts";
import { auditKey } from "./audit-key.ts";
import type { CreatedKey, KeyContext } from "./create-key.ts";

export const DEFAULT_OVERLAP_MS = 86_400_000;

export interface RotatedKey extends CreatedKey {
  readonly replaces: string;
  /** Until then the old key works too. */
  readonly replacedExpiresAt: Date;
}

/** A new key in place of an old one, alike in everything, its lifetime included, unless another one is asked for. */
export async function rotateKey(
  { pool, ids }: KeyContext,
  actor: Actor,
  { keyId, overlapMs, lifetimeMs }: { keyId: string; overlapMs: number; lifetimeMs?: number },
): Promise<RotatedKey> {
  return transaction(pool, async (db) => {
    const old = rotatable(await lockKey(db, keyId), keyId);
    const { scope, role, organizationId, userId, name } = old;
    const key = makeApiKey(scope);
    const id = ids.make("key");
    const shown = { id, scope, role, organizationId, userId };
    const expiresAt = await insertKey(db, {
      ...shown,
      name,
      hash: hashApiKey(key),
      hint: apiKeyHint(key),
      lifetimeMs: lifetimeMs ?? old.lifetimeMs,
    });
    const replacedExpiresAt = await retireKey(db, { id: keyId, rotatedTo: id, overlapMs });
    const after = { rotatedTo: id, expiresAt: replacedExpiresAt };
    await auditKey({ db, ids }, actor, { keyId, action: "key.rotate", after });
    return { ...shown, key, expiresAt, replaces: keyId, replacedExpiresAt };
  });
}

/** It is no key that could be replaced; the message says why. */
export class NotRotatable extends Error {}

function rotatable(key: LockedKey | undefined, id: string): LockedKey {
  if (!key) throw new NotRotatable(`There is no key "${id}"; see: millrace keys list`);
  if (key.revoked)
    throw new NotRotatable(`The key ${id} is revoked; make a new one with: millrace keys create`);
  if (key.expired)
    throw new NotRotatable(`The key ${id} has expired; make a new one with: millrace keys create`);
  if (key.rotatedTo)
    throw new NotRotatable(`The key ${id} was already rotated; rotate ${key.rotatedTo} instead.`);
  return key;
}
