import type { DeleteFlowQuery } from "@millrace/contract/manage/flows";
import type { Principal } from "../../domain/principal.ts";
import { Refusal } from "../../domain/refusal.ts";
import { deleteFlow } from "../../storage/catalogue/delete-flow.ts";
import { noteWaitingRuns } from "../../storage/manage-flows/cancel-waiting-runs.ts";
import { countWaitingRuns, type WaitingRuns } from "../../storage/manage-flows/count-waiting-runs.ts";
import type { ManagedFlowRecord } from "../../storage/manage-flows/list-managed-flows.ts";
import { type Db, transaction } from "../../storage/pool.ts";
import { cancelChildren } from "../../storage/runs/cancel-children.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Caller, FlowContext } from "./flow-context.ts";
import { managedFlow } from "./managed-flow.ts";

interface Affected {
  readonly count: number;
  readonly becomes: "canceled" | "goes on";
}

/** What the end of a flow means for its runs, its schedules and its webhook. */
export interface FlowDeletion {
  readonly flowId: string;
  readonly runs: Readonly<Record<keyof WaitingRuns, Affected>>;
  readonly schedules: number;
  readonly webhook: boolean;
}

export async function previewDeletion(
  { db }: { readonly db: Db },
  principal: Principal | undefined,
  flowId: string,
  { runs }: DeleteFlowQuery,
): Promise<FlowDeletion> {
  return deletionOf(db, await managedFlow(db, principal, flowId, "viewer"), runs);
}

async function deletionOf(
  db: Db,
  { id: flowId, organizationId, schedules, webhook }: ManagedFlowRecord,
  runs: DeleteFlowQuery["runs"],
): Promise<FlowDeletion> {
  const counts = await countWaitingRuns(db, organizationId, flowId);
  const waiting = (count: number): Affected => ({
    count,
    becomes: runs === "cancel" ? "canceled" : "goes on",
  });
  return {
    flowId,
    runs: {
      // What has begun is brought to its end: a half-done run is nobody's wish.
      executing: { count: counts.executing, becomes: "goes on" },
      queued: waiting(counts.queued),
      delayed: waiting(counts.delayed),
      paused: waiting(counts.paused),
    },
    schedules,
    webhook: webhook !== "none",
  };
}

export interface DeletionContext extends Pick<FlowContext, "pool" | "ids" | "library"> {
  readonly onCanceled: (organizationId: string, runId: string) => void;
}

/** Runs that wait are noted in the transaction of the deletion, so they end even where this process does not live to see it. */
export async function removeFlow(
  { pool, ids, library, onCanceled }: DeletionContext,
  { principal, actor }: Caller,
  flowId: string,
  { runs }: DeleteFlowQuery,
): Promise<FlowDeletion & { readonly deletedAt: Date }> {
  const flow = await managedFlow(pool, principal, flowId, "admin");
  const { organizationId, name, version } = flow;
  const deletion = await transaction(pool, async (db) => {
    const preview = await deletionOf(db, flow, runs);
    const deletedAt = await deleteFlow(db, flowId);
    if (!deletedAt) throw new Refusal("flow_not_found", { messageParams: { flowId } });
    if (runs === "cancel") await noteWaitingRuns(db, organizationId, flowId);
    const change = { organizationId, action: "flow.delete", target: flowId };
    await recordAudit({ db, ids }, actor, {
      ...change,
      before: { name, version },
      after: { runs: preview.runs },
    });
    return { ...preview, deletedAt };
  });
  library.forget(flowId);
  if (runs === "cancel")
    for (const run of await cancelChildren(pool).catch(() => [])) onCanceled(run.organizationId, run.id);
  return deletion;
}
