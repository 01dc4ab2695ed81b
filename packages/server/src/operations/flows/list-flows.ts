import type { CatalogueQuery } from "@millrace/contract/flows";
import { type Page, toPage, toPageRequest } from "../../domain/cursor.ts";
import { organizationsFor, type Principal } from "../../domain/principal.ts";
import type { FlowRecord } from "../../domain/records.ts";
import { listFlows } from "../../storage/flows/list-flows.ts";
import type { Db } from "../../storage/pool.ts";

export type ListFlows = (principal: Principal, query: CatalogueQuery) => Promise<Page<FlowRecord>>;

export const makeListFlows =
  (db: Db): ListFlows =>
  async (principal, query) => {
    const organizationIds = organizationsFor(
      principal,
      query["filter[organizationId]"] ?? query.organizationId,
    );
    const page = toPageRequest(query);
    return toPage(page, await listFlows(db, organizationIds, page));
  };
