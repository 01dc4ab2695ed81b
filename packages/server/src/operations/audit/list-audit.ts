import type { AuditQuery } from "@millrace/contract/manage/audit";
import { type Page, toPage, toPageRequest } from "../../domain/cursor.ts";
import { organizationFor, type Principal } from "../../domain/principal.ts";
import { type AuditEntryRecord, listAuditEntries } from "../../storage/audit/list-audit-entries.ts";
import type { Db } from "../../storage/pool.ts";

export type { AuditEntryRecord };

/** What was changed in an organization, newest first. */
export async function listAudit(
  { db }: { readonly db: Db },
  principal: Principal,
  query: AuditQuery,
): Promise<Page<AuditEntryRecord>> {
  const organizationId = organizationFor(principal, query.organizationId, "admin");
  const page = toPageRequest("audit", query);
  const filter = {
    organizationId,
    action: query["filter[action]"],
    target: query["filter[target]"],
    userId: query["filter[userId]"],
    from: query["filter[from]"],
    to: query["filter[to]"],
  };
  return toPage(page, await listAuditEntries(db, filter, page));
}
