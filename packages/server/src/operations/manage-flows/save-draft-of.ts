import type { FlowGraph } from "@millrace/contract/documents/graph";
import { organizationFor } from "../../domain/principal.ts";
import { Refusal } from "../../domain/refusal.ts";
import { lockCatalogue } from "../../storage/catalogue/lock-catalogue.ts";
import { findManagedFlow } from "../../storage/manage-flows/list-managed-flows.ts";
import { transaction } from "../../storage/pool.ts";
import { checkGraph, requireStorable } from "./check-graph.ts";
import { getDraft, putDraftOf } from "./draft.ts";
import type { Caller, FlowContext } from "./flow-context.ts";
import { insertFlow } from "./insert-flow.ts";
import { managedFlow } from "./managed-flow.ts";

interface WantedDraft {
  readonly flowId: string;
  readonly graph: FlowGraph;
  /** Of a flow that does not exist yet. */
  readonly name?: string | undefined;
  readonly organizationId?: string | undefined;
  readonly revision?: number | undefined;
}

export interface SavedDraft {
  readonly flowId: string;
  readonly revision: number;
  readonly created: boolean;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

/** Saves a draft, of a new flow too, and says whether it would run. Nothing of it is in force. */
export async function saveDraftOf(
  context: FlowContext,
  caller: Caller & { readonly principal: NonNullable<Caller["principal"]> },
  wanted: WantedDraft,
): Promise<SavedDraft> {
  const { pool, catalogue } = context;
  const { flowId, graph } = wanted;
  const known = await findManagedFlow(pool, flowId);
  const saved = known
    ? await putDraftOf(context, caller, flowId, {
        graph,
        revision: wanted.revision ?? (await managedFlow(pool, caller.principal, flowId, "admin")).revision,
      })
    : await createDraft(context, caller, wanted);
  const flow = await managedFlow(pool, caller.principal, flowId, "admin");
  const { settings } = await getDraft({ db: pool }, caller.principal, flowId);
  const { errors, warnings } = await checkGraph({ db: pool, catalogue }, flow, { graph, settings });
  return { ...saved, created: !known, errors, warnings };
}

async function createDraft(
  { pool, ids }: FlowContext,
  { principal, actor }: Caller & { readonly principal: NonNullable<Caller["principal"]> },
  { flowId, graph, name, organizationId: asked }: WantedDraft,
): Promise<{ flowId: string; revision: number }> {
  const organizationId = organizationFor(principal, asked, "admin");
  if (name === undefined) throw new Refusal("flow_not_found", { messageParams: { flowId, organizationId } });
  requireStorable({ graph });
  return transaction(pool, async (db) => {
    if (!(await lockCatalogue(db, [organizationId])))
      throw new Refusal("service_unavailable", { retryAfterSeconds: 3 });
    const flow = { organizationId, flowId, name, graph, settings: undefined };
    // Of another organization it is as absent as none.
    const revision = await insertFlow({ db, ids }, actor, flow).catch((error: unknown) => {
      throw error instanceof Refusal && error.code === "flow_id_taken"
        ? new Refusal("flow_not_found", { messageParams: { flowId, organizationId } })
        : error;
    });
    return { flowId, revision };
  });
}
