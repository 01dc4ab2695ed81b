import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

const DELETE_CREDENTIAL = statement({
  text: `DELETE FROM credentials WHERE organization_id = $1 AND id = $2`,
});

export async function deleteCredential(db: Db, organizationId: string, id: string): Promise<void> {
  await db.query(DELETE_CREDENTIAL([organizationId, id]));
}
