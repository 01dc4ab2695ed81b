import { assumed, oneOf, text } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";

const FIND_KEY_ROLE = statement({
  text: `SELECT organization_id AS "organizationId", role FROM api_keys
      WHERE id = $1 AND organization_id = ANY($2::text[]) AND organization_id IS NOT NULL`,
  columns: { organizationId: assumed(text), role: oneOf("owner", "admin", "member", "viewer") },
});

/** What a key of one of these organizations may do at most. */
export async function findKeyRole(
  db: Db,
  keyId: string,
  organizationIds: readonly string[],
): Promise<Row<typeof FIND_KEY_ROLE> | undefined> {
  const { rows } = await db.query(FIND_KEY_ROLE([keyId, organizationIds]));
  return rows[0];
}
