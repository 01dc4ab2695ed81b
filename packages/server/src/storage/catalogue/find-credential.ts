import type { Db } from "../pool.ts";

export interface StoredCredential {
  readonly type: string;
  readonly allowedHosts: readonly string[];
  readonly allowUnencrypted: boolean;
  readonly ciphertext: string;
}

/** By organization and id together: an id of another organization finds nothing. */
export async function findCredential(
  db: Db,
  organizationId: string,
  id: string,
): Promise<StoredCredential | undefined> {
  const { rows } = await db.query(
    `SELECT type, allowed_hosts AS "allowedHosts", allow_unencrypted AS "allowUnencrypted", ciphertext
       FROM credentials WHERE organization_id = $1 AND id = $2`,
    [organizationId, id],
  );
  return rows[0];
}
