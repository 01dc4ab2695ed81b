import type { Actor } from "../../domain/actor.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

export interface NewAuditEntry {
  readonly organizationId: string;
  readonly id: string;
  readonly action: string;
  readonly target: string;
  /** JSON texts. */
  readonly before: string | null;
  readonly after: string | null;
}

const INSERT_AUDIT_ENTRIES = statement({
  text: `INSERT INTO audit_entries (organization_id, id, created_at, user_id, via, via_id, address, action, target, before, after)
     SELECT e.organization_id, e.id, millrace_now(), $7, $8, $9, $10, e.action, e.target, e.before, e.after
       FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::json[], $6::json[])
         AS e(organization_id, id, action, target, before, after)`,
});

/** Several changes of one actor, made together. */
export async function insertAuditEntries(
  db: Db,
  { userId, via, viaId, address }: Actor,
  entries: readonly NewAuditEntry[],
): Promise<void> {
  const column = <K extends keyof NewAuditEntry>(name: K) => entries.map((entry) => entry[name]);
  const columns = [
    column("organizationId"),
    column("id"),
    column("action"),
    column("target"),
    column("before"),
    column("after"),
  ];
  await db.query(INSERT_AUDIT_ENTRIES([...columns, userId, via, viaId, address]));
}
