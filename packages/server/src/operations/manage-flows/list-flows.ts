import type { ManagedFlowsQuery } from "@millrace/contract/manage/flows";
import { type Page, toPage, toPageRequest } from "../../domain/cursor.ts";
import { organizationFor, type Principal } from "../../domain/principal.ts";
import { listManagedFlows, type ManagedFlowRecord } from "../../storage/manage-flows/list-managed-flows.ts";
import type { Db } from "../../storage/pool.ts";

export type { ManagedFlowRecord };

export async function listFlowsToManage(
  { db }: { readonly db: Db },
  principal: Principal,
  query: ManagedFlowsQuery,
): Promise<Page<ManagedFlowRecord>> {
  const organizationId = organizationFor(principal, query.organizationId, "viewer");
  const page = toPageRequest("managed-flows", query);
  return toPage(page, await listManagedFlows(db, organizationId, page));
}
