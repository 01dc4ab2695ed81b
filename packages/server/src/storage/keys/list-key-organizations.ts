import { assumed, text } from "../columns.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

const LIST_KEY_ORGANIZATIONS = statement({
  text: `SELECT coalesce(k.organization_id, m.organization_id) AS id FROM api_keys k
       LEFT JOIN memberships m ON m.user_id = k.user_id AND k.organization_id IS NULL
      WHERE k.id = $1 AND coalesce(k.organization_id, m.organization_id) IS NOT NULL`,
  columns: { id: assumed(text) },
});

/** The organizations a key reaches: its own, or all of its user. */
export async function listKeyOrganizations(db: Db, keyId: string): Promise<string[]> {
  const { rows } = await db.query(LIST_KEY_ORGANIZATIONS([keyId]));
  return rows.map(({ id }) => id);
}
