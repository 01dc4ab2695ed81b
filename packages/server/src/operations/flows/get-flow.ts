import { type Principal, requireMembership } from "../../domain/principal.ts";
import type { FlowRecord } from "../../domain/records.ts";
import { Refusal } from "../../domain/refusal.ts";
import { findFlow } from "../../storage/flows/find-flow.ts";
import type { Db } from "../../storage/pool.ts";

export async function getFlow(
  { db }: { readonly db: Db },
  principal: Principal,
  flowId: string,
): Promise<FlowRecord> {
  const flow = await findFlow(db, flowId);
  if (!flow) throw new Refusal("flow_not_found", { messageParams: { flowId } });
  requireMembership(principal, flow.organizationId);
  return flow;
}
