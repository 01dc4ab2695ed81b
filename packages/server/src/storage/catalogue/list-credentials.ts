import type { Db } from "../pool.ts";

export interface CredentialSummary {
  readonly id: string;
  readonly organizationId: string;
  readonly type: string;
  readonly allowedHosts: readonly string[];
  readonly createdAt: Date;
  readonly updatedAt: Date | null;
}

/** Without their secrets, in whatever form. */
export async function listCredentials(db: Db, organizationId?: string): Promise<CredentialSummary[]> {
  const { rows } = await db.query<CredentialSummary>(
    `SELECT id, organization_id AS "organizationId", type, allowed_hosts AS "allowedHosts",
            created_at AS "createdAt", updated_at AS "updatedAt"
     FROM credentials WHERE $1::text IS NULL OR organization_id = $1
     ORDER BY 2, 1`,
    [organizationId],
  );
  return rows;
}
