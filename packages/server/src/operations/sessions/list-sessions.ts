import type { SessionsQuery } from "@millrace/contract/manage/sessions";
import { type Page, toPage, toPageRequest } from "../../domain/cursor.ts";
import { type Principal, requireRole } from "../../domain/principal.ts";
import type { Db } from "../../storage/pool.ts";
import { listSessions as readSessions, type SessionRecord } from "../../storage/sessions/list-sessions.ts";

export type { SessionRecord };

/** The caller's own sessions; those of all who reach an organization for an owner who names it. */
export async function listSessions(
  { db }: { readonly db: Db },
  principal: Principal,
  query: SessionsQuery,
): Promise<Page<SessionRecord>> {
  const { organizationId } = query;
  if (organizationId !== undefined) requireRole(principal, organizationId, "owner");
  const filter = organizationId === undefined ? { userId: principal.user.id } : { organizationId };
  const page = toPageRequest("sessions", query);
  return toPage(page, await readSessions(db, filter, page));
}
