import { bigint, boolean, oneOf, orNull, text } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";

const LOCK_KEY = statement({
  text: `SELECT scope, role, organization_id AS "organizationId", user_id AS "userId", name, rotated_to AS "rotatedTo",
            (extract(epoch FROM expires_at - created_at) * 1000)::bigint AS "lifetimeMs",
            revoked_at IS NOT NULL AS revoked, expires_at <= now() AS expired
     FROM api_keys WHERE id = $1 FOR UPDATE`,
  columns: {
    scope: oneOf("org", "user"),
    role: oneOf("owner", "admin", "member", "viewer"),
    organizationId: orNull(text),
    userId: text,
    name: text,
    lifetimeMs: bigint,
    rotatedTo: orNull(text),
    revoked: boolean,
    expired: boolean,
  },
});

export type LockedKey = Row<typeof LOCK_KEY>;

/** Held until the transaction ends, so that a key is rotated once. */
export async function lockKey(db: Db, id: string): Promise<LockedKey | undefined> {
  const { rows } = await db.query(LOCK_KEY([id]));
  return rows[0];
}
