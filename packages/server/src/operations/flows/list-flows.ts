import type { CatalogueQuery } from "@millrace/contract/flows";
import { type Page, toPage, toPageRequest } from "../../domain/cursor.ts";
import { organizationsFor, type Principal } from "../../domain/principal.ts";
import type { FlowRecord } from "../../domain/records.ts";
import { listFlows as readFlows } from "../../storage/flows/list-flows.ts";
import type { Db } from "../../storage/pool.ts";

export async function listFlows(
  { db }: { readonly db: Db },
  principal: Principal,
  query: CatalogueQuery,
): Promise<Page<FlowRecord>> {
  const organizationIds = organizationsFor(
    principal,
    query["filter[organizationId]"] ?? query.organizationId,
  );
  const page = toPageRequest("flows", query);
  return toPage(page, await readFlows(db, organizationIds, page));
}
