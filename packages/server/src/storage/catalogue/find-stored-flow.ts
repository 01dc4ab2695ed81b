import { boolean, orNull, text } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";

const FIND_STORED_FLOW = statement({
  text: `SELECT flows.version, flow_versions.hash, flows.deleted_at IS NOT NULL AS deleted
     FROM flows
     LEFT JOIN flow_versions ON flow_versions.organization_id = flows.organization_id
       AND flow_versions.flow_id = flows.id AND flow_versions.version = flows.version
     WHERE flows.organization_id = $1 AND flows.id = $2`,
  columns: { version: orNull(text), hash: orNull(text), deleted: boolean },
});

export type StoredFlow = Row<typeof FIND_STORED_FLOW>;

/** The flow as it was last published, deleted or not. */
export async function findStoredFlow(
  db: Db,
  organizationId: string,
  id: string,
): Promise<StoredFlow | undefined> {
  const { rows } = await db.query(FIND_STORED_FLOW([organizationId, id]));
  return rows[0];
}
