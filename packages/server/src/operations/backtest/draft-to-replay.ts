import type { FlowGraph } from "@millrace/contract/documents/graph";
import type { NodeCatalogue } from "../../domain/flow/catalogue.ts";
import { assembleFlow, type CompiledFlow } from "../../domain/flow/compile.ts";
import { checkFlow, type CheckedFlow } from "../../domain/flow/validate.ts";
import { findDraft } from "../../storage/flows/find-draft.ts";
import { findFlowGraph } from "../../storage/flows/find-flow-graph.ts";
import type { ManagedFlowRecord } from "../../storage/manage-flows/list-managed-flows.ts";
import type { Db } from "../../storage/pool.ts";
import { inSlices } from "../flows/in-slices.ts";

export interface ReadGraph {
  readonly checked: CheckedFlow;
  /** Missing where the graph has errors. */
  readonly compiled: CompiledFlow | undefined;
}

/** The graph that is meant: the given one, the draft, or the version in force; ready to be replayed. */
export async function readGraph(
  { db, catalogue }: { readonly db: Db; readonly catalogue: NodeCatalogue },
  { organizationId, id: flowId, version }: Pick<ManagedFlowRecord, "organizationId" | "id" | "version">,
  given: FlowGraph | undefined,
): Promise<ReadGraph> {
  const graph =
    given ??
    (await findDraft(db, organizationId, flowId))?.graph ??
    (version === null ? undefined : await findFlowGraph(db, organizationId, flowId, version));
  const flow = { organizationId, flowId };
  const found = await inSlices(flow, checkFlow(graph ?? { nodes: [], edges: [] }, catalogue));
  const checked = { ...found, errors: [...found.errors, ...found.newErrors] };
  const isSound = checked.errors.length === 0;
  const assembling = assembleFlow(checked.flow.graph, catalogue, checked);
  return { checked, compiled: isSound ? await inSlices(flow, assembling) : undefined };
}
