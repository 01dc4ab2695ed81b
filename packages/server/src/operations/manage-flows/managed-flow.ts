import { type Principal, reaches, requireRole } from "../../domain/principal.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Role } from "../../domain/role.ts";
import { findManagedFlow, type ManagedFlowRecord } from "../../storage/manage-flows/list-managed-flows.ts";
import type { Db } from "../../storage/pool.ts";

/** A flow that the caller may look at or change; one of another organization is as absent as none. */
export async function managedFlow(
  db: Db,
  principal: Principal | undefined,
  flowId: string,
  role: Role,
): Promise<ManagedFlowRecord> {
  const flow = await findManagedFlow(db, flowId);
  if (!flow || (principal && !reaches(principal, flow.organizationId)))
    throw new Refusal("flow_not_found", { messageParams: { flowId } });
  if (principal) requireRole(principal, flow.organizationId, role);
  return flow;
}
