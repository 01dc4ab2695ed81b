import type { FlowGraph } from "@millrace/contract/documents/graph";
import { organizationFor, type Principal } from "../../domain/principal.ts";
import { Refusal } from "../../domain/refusal.ts";
import { findManagedFlow } from "../../storage/manage-flows/list-managed-flows.ts";
import { checkGraph, type CheckedGraph, requireStorable } from "./check-graph.ts";
import { validateDraft } from "./draft.ts";
import type { FlowContext } from "./flow-context.ts";

interface WantedCheck {
  readonly flowId?: string | undefined;
  readonly graph?: FlowGraph | undefined;
  readonly organizationId?: string | undefined;
}

/** Whether a graph would run: of a flow that exists, or of one that is only thought of. */
export async function checkGraphOf(
  context: FlowContext,
  principal: Principal,
  { flowId, graph, organizationId: asked }: WantedCheck,
): Promise<CheckedGraph> {
  if (graph) requireStorable({ graph });
  if (flowId !== undefined && (!graph || (await findManagedFlow(context.pool, flowId))))
    return validateDraft(context, principal, flowId, graph && { graph });
  if (!graph) {
    const issues = [{ path: ["graph"], message: "is required where no flowId is given" }];
    throw new Refusal("invalid_request_body", { issues });
  }
  const organizationId = organizationFor(principal, asked, "viewer");
  const { pool: db, catalogue } = context;
  return checkGraph({ db, catalogue }, { organizationId, id: flowId ?? "flow" }, { graph, settings: {} });
}
