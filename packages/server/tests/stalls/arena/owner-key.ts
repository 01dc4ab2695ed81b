import type { RawDb } from "../../support/database.ts";
import { addKey, addUser } from "../../support/workspace.ts";

/** A key of an organization that somebody owns. */
export async function addOwnerKey(db: RawDb, organizationId: string): Promise<{ key: string }> {
  const userId = `owner_${organizationId}`;
  await addUser(db, userId, { [organizationId]: "owner" });
  return addKey(db, { organizationId, userId });
}
