import type { KeyScope } from "../../domain/api-key.ts";
import type { Db } from "../pool.ts";

export interface LockedKey {
  readonly scope: KeyScope;
  readonly organizationId: string | null;
  readonly userId: string;
  readonly name: string;
  readonly lifetimeMs: number;
  readonly rotatedTo: string | null;
  readonly revoked: boolean;
  readonly expired: boolean;
}

/** Held until the transaction ends, so that a key is rotated once. */
export async function lockKey(db: Db, id: string): Promise<LockedKey | undefined> {
  const { rows } = await db.query<LockedKey>(
    `SELECT scope, organization_id AS "organizationId", user_id AS "userId", name, rotated_to AS "rotatedTo",
            (extract(epoch FROM expires_at - created_at) * 1000)::bigint AS "lifetimeMs",
            revoked_at IS NOT NULL AS revoked, expires_at <= now() AS expired
     FROM api_keys WHERE id = $1 FOR UPDATE`,
    [id],
  );
  return rows[0];
}
