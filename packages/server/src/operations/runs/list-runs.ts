import type { RunsQuery } from "@millrace/contract/runs";
import { type Page, toPage } from "../../domain/cursor.ts";
import { organizationsFor, type Principal } from "../../domain/principal.ts";
import { toRunFilters, toRunPageRequest } from "../../domain/run-filters.ts";
import type { RunRecord } from "../../domain/run-record.ts";
import type { Db } from "../../storage/pool.ts";
import { listRuns } from "../../storage/runs/list-runs.ts";

export type ListRuns = (principal: Principal, query: RunsQuery) => Promise<Page<RunRecord>>;

export const makeListRuns =
  (db: Db, nowMs: () => number): ListRuns =>
  async (principal, query) => {
    const organizationIds = organizationsFor(
      principal,
      query["filter[organizationId]"] ?? query.organizationId,
    );
    const page = toRunPageRequest(query);
    return toPage(page, await listRuns(db, organizationIds, toRunFilters(query, nowMs()), page));
  };
