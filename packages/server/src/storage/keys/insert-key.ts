import type { KeyScope } from "../../domain/api-key.ts";
import type { Role } from "../../domain/role.ts";
import { timestamp } from "../columns.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

export interface NewKey {
  readonly id: string;
  readonly hash: Buffer;
  readonly scope: KeyScope;
  readonly role: Role;
  readonly organizationId: string | null;
  readonly userId: string;
  readonly name: string;
  readonly hint: string;
  readonly lifetimeMs: number;
}

const INSERT_KEY = statement({
  text: `INSERT INTO api_keys (id, hash, scope, organization_id, user_id, name, hint, role, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now() + $9 * interval '1 millisecond')
     RETURNING expires_at`,
  columns: { expires_at: timestamp },
});

/** Answers with the moment of expiry, by the database's clock. */
export async function insertKey(db: Db, key: NewKey): Promise<Date> {
  const { rows } = await db.query(
    INSERT_KEY([
      key.id,
      key.hash,
      key.scope,
      key.organizationId,
      key.userId,
      key.name,
      key.hint,
      key.role,
      key.lifetimeMs,
    ]),
  );
  return rows[0]!.expires_at;
}
