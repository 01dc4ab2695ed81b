import { Refusal } from "../../domain/refusal.ts";
import { setFlowActive } from "../../storage/catalogue/set-flow-active.ts";
import { findManagedFlow, type ManagedFlowRecord } from "../../storage/manage-flows/list-managed-flows.ts";
import { transaction } from "../../storage/pool.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Caller, FlowContext } from "./flow-context.ts";
import { managedFlow } from "./managed-flow.ts";

/** Whether webhooks and schedules start the flow. */
export async function setActive(
  { pool, ids, library }: Pick<FlowContext, "pool" | "ids" | "library">,
  { principal, actor }: Caller,
  flowId: string,
  active: boolean,
): Promise<ManagedFlowRecord> {
  const before = await managedFlow(pool, principal, flowId, "admin");
  const after = await transaction(pool, async (db) => {
    if (!(await setFlowActive(db, flowId, active)))
      throw new Refusal("flow_not_found", { messageParams: { flowId } });
    if (before.active !== active) {
      const action = active ? "flow.activate" : "flow.deactivate";
      await recordAudit({ db, ids }, actor, {
        organizationId: before.organizationId,
        action,
        target: flowId,
      });
    }
    return findManagedFlow(db, flowId);
  });
  library.forget(flowId);
  return after!;
}
