import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

const SET_VERSION = statement({
  text: `UPDATE flows SET version = $3, updated_at = now(), draft_revision = draft_revision + 1
     WHERE organization_id = $1 AND id = $2 AND deleted_at IS NULL`,
});

/** What every trigger from now on runs. */
export async function setVersion(
  db: Db,
  organizationId: string,
  flowId: string,
  version: string,
): Promise<void> {
  await db.query(SET_VERSION([organizationId, flowId, version]));
}
