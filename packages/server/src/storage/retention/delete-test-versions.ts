import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

const DELETE_TEST_VERSIONS = statement({
  text: `DELETE FROM flow_versions v USING (
       SELECT o.flow_id, o.version FROM flow_versions o
        WHERE o.organization_id = $1 AND starts_with(o.version, 'test-') AND o.created_at < $2
          AND NOT EXISTS (SELECT FROM runs r
                           WHERE r.organization_id = $1 AND r.is_test AND r.flow_id = o.flow_id AND r.version = o.version)
        LIMIT 200
     ) old
     WHERE v.organization_id = $1 AND v.flow_id = old.flow_id AND v.version = old.version AND v.created_at < $2`,
});

/** Versions that drafts were executed as, where none of these runs is kept any more; a page at a time. */
export async function deleteTestVersions(db: Db, organizationId: string, before: Date): Promise<number> {
  const { rowCount } = await db.query(DELETE_TEST_VERSIONS([organizationId, before]));
  return rowCount ?? 0;
}
