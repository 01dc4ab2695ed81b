import type { CatalogueQuery } from "@millrace/contract/flows";
import { type Page, toPage, toPageRequest } from "../../domain/cursor.ts";
import { organizationsFor, type Principal } from "../../domain/principal.ts";
import type { AgentRecord } from "../../domain/records.ts";
import { listAgents as readAgents } from "../../storage/agents/list-agents.ts";
import type { Db } from "../../storage/pool.ts";

export async function listAgents(
  { db }: { readonly db: Db },
  principal: Principal,
  query: CatalogueQuery,
): Promise<Page<AgentRecord>> {
  const organizationIds = organizationsFor(
    principal,
    query["filter[organizationId]"] ?? query.organizationId,
  );
  const page = toPageRequest("agents", query);
  return toPage(page, await readAgents(db, organizationIds, page));
}
