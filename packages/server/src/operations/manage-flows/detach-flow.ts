import { detachFlow } from "../../storage/manage-flows/detach-flow.ts";
import { findManagedFlow, type ManagedFlowRecord } from "../../storage/manage-flows/list-managed-flows.ts";
import { transaction } from "../../storage/pool.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Caller, FlowContext } from "./flow-context.ts";
import { managedFlow } from "./managed-flow.ts";

/** From now on the console keeps the document; the next `apply` of it takes it back. */
export async function detach(
  { pool, ids }: Pick<FlowContext, "pool" | "ids">,
  { principal, actor }: Caller,
  flowId: string,
): Promise<ManagedFlowRecord> {
  const { organizationId } = await managedFlow(pool, principal, flowId, "admin");
  return transaction(pool, async (db) => {
    if (await detachFlow(db, organizationId, flowId))
      await recordAudit({ db, ids }, actor, { organizationId, action: "flow.detach", target: flowId });
    return (await findManagedFlow(db, flowId))!;
  });
}
