import type { FlowRunsQuery } from "@millrace/contract/runs";
import { type Page, toPage } from "../../domain/cursor.ts";
import type { Principal } from "../../domain/principal.ts";
import { toRunFilters, toRunPageRequest } from "../../domain/run-filters.ts";
import type { RunRecord } from "../../domain/run-record.ts";
import type { Db } from "../../storage/pool.ts";
import { listRuns } from "../../storage/runs/list-runs.ts";
import { getFlow } from "../flows/get-flow.ts";

export async function listFlowRuns(
  { db, nowMs }: { readonly db: Db; readonly nowMs: () => number },
  principal: Principal,
  flowId: string,
  query: FlowRunsQuery,
): Promise<Page<RunRecord>> {
  const page = toRunPageRequest(`runs of ${flowId}`, query);
  const { organizationId } = await getFlow({ db }, principal, flowId);
  const filters = { ...toRunFilters(query, nowMs()), flowId };
  return toPage(page, await listRuns(db, [organizationId], filters, page));
}
