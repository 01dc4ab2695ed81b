import type { FlowSettings } from "@millrace/contract/documents/flow";
import { type Principal, requireMembership } from "../../domain/principal.ts";
import type { FlowRecord } from "../../domain/records.ts";
import { Refusal } from "../../domain/refusal.ts";
import { findFlow } from "../../storage/flows/find-flow.ts";
import { findFlowSettings } from "../../storage/flows/find-flow-settings.ts";
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

/** With what its version says beside the graph. */
export async function describeFlow(
  context: { readonly db: Db },
  principal: Principal,
  flowId: string,
): Promise<{ flow: FlowRecord; settings: FlowSettings }> {
  const flow = await getFlow(context, principal, flowId);
  const settings = await findFlowSettings(context.db, flow.organizationId, flowId, flow.version);
  return { flow, settings };
}
