import { boolean, text, texts } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";

const FIND_CREDENTIAL = statement({
  text: `SELECT type, allowed_hosts AS "allowedHosts", allow_unencrypted AS "allowUnencrypted", ciphertext
       FROM credentials WHERE organization_id = $1 AND id = $2`,
  columns: { type: text, allowedHosts: texts, allowUnencrypted: boolean, ciphertext: text },
});

export type StoredCredential = Row<typeof FIND_CREDENTIAL>;

/** By organization and id together: an id of another organization finds nothing. */
export async function findCredential(
  db: Db,
  organizationId: string,
  id: string,
): Promise<StoredCredential | undefined> {
  const { rows } = await db.query(FIND_CREDENTIAL([organizationId, id]));
  return rows[0];
}
