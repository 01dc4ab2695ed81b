import type { KeyScope } from "../../domain/api-key.ts";
import type { Db } from "../pool.ts";

export interface KeySummary {
  readonly id: string;
  readonly hint: string;
  readonly name: string;
  readonly scope: KeyScope;
  readonly organizationId: string | null;
  readonly userId: string;
  readonly state: "active" | "rotated" | "expired" | "revoked";
  readonly expiresAt: Date;
  readonly lastUsedAt: Date | null;
  readonly createdAt: Date;
}

/** A rotated key still works until it expires. */
export async function listKeys(
  db: Db,
  { organizationId, userId }: { organizationId?: string; userId?: string },
): Promise<KeySummary[]> {
  const { rows } = await db.query<KeySummary>(
    `SELECT id, hint, name, scope, organization_id AS "organizationId", user_id AS "userId",
            CASE WHEN revoked_at IS NOT NULL THEN 'revoked' WHEN expires_at <= now() THEN 'expired'
                 WHEN rotated_to IS NOT NULL THEN 'rotated' ELSE 'active' END AS state,
            expires_at AS "expiresAt", last_used_at AS "lastUsedAt", created_at AS "createdAt"
     FROM api_keys
     WHERE ($1::text IS NULL OR organization_id = $1) AND ($2::text IS NULL OR user_id = $2)
     ORDER BY created_at DESC, id DESC`,
    [organizationId, userId],
  );
  return rows;
}
