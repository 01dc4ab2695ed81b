import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

const DELETE_OLD_AUDIT_ENTRIES = statement({
  text: `DELETE FROM audit_entries a USING (
       SELECT e.organization_id, e.id FROM audit_entries e JOIN organizations o ON o.id = e.organization_id
        WHERE e.organization_id = $1 AND e.created_at < millrace_now() - make_interval(days => o.audit_days)
        ORDER BY e.created_at LIMIT 1000
     ) old WHERE a.organization_id = old.organization_id AND a.id = old.id`,
});

/** What an organization no longer keeps; a page at a time. */
export async function deleteOldAuditEntries(db: Db, organizationId: string): Promise<number> {
  const { rowCount } = await db.query(DELETE_OLD_AUDIT_ENTRIES([organizationId]));
  return rowCount ?? 0;
}
