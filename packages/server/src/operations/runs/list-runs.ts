import type { RunsQuery } from "@millrace/contract/runs";
import { type Page, toPage } from "../../domain/cursor.ts";
import { organizationsFor, type Principal } from "../../domain/principal.ts";
import { toRunFilters, toRunPageRequest } from "../../domain/run-filters.ts";
import type { RunRecord } from "../../domain/run-record.ts";
import type { Db } from "../../storage/pool.ts";
import { listRuns as readRuns } from "../../storage/runs/list-runs.ts";

export async function listRuns(
  { db, nowMs }: { readonly db: Db; readonly nowMs: () => number },
  principal: Principal,
  query: RunsQuery,
): Promise<Page<RunRecord>> {
  const organizationIds = organizationsFor(
    principal,
    query["filter[organizationId]"] ?? query.organizationId,
  );
  const page = toRunPageRequest("runs", query);
  return toPage(page, await readRuns(db, organizationIds, toRunFilters(query, nowMs()), page));
}
