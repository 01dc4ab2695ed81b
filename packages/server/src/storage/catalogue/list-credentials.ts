import { orNull, text, texts, timestamp } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";

const LIST_CREDENTIALS = statement({
  text: `SELECT id, organization_id AS "organizationId", type, allowed_hosts AS "allowedHosts",
            created_at AS "createdAt", updated_at AS "updatedAt"
     FROM credentials WHERE $1::text IS NULL OR organization_id = $1
     ORDER BY 2, 1`,
  columns: {
    id: text,
    organizationId: text,
    type: text,
    allowedHosts: texts,
    createdAt: timestamp,
    updatedAt: orNull(timestamp),
  },
});

export type CredentialSummary = Row<typeof LIST_CREDENTIALS>;

/** Without their secrets, in whatever form. */
export async function listCredentials(db: Db, organizationId?: string): Promise<CredentialSummary[]> {
  const { rows } = await db.query(LIST_CREDENTIALS([organizationId]));
  return rows;
}
