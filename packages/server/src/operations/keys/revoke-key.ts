import type { Actor } from "../../domain/actor.ts";
import type { IdMaker } from "../../domain/ids.ts";
import { revokeKey as storeRevocation } from "../../storage/keys/revoke-key.ts";
import { type Pool, transaction } from "../../storage/pool.ts";
import { auditKey } from "./audit-key.ts";

/** The moment from which the key is refused, the first one where it was revoked before; undefined for an unknown key. */
export async function revokeKey(
  { pool, ids }: { readonly pool: Pool; readonly ids: IdMaker },
  actor: Actor,
  keyId: string,
): Promise<Date | undefined> {
  return transaction(pool, async (db) => {
    const revokedAt = await storeRevocation(db, keyId);
    if (revokedAt) await auditKey({ db, ids }, actor, { keyId, action: "key.revoke", after: { revokedAt } });
    return revokedAt;
  });
}
