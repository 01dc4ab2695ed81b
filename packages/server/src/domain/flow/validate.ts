import type { FlowGraph } from "@millrace/contract/documents/graph";
import type { NodeCatalogue } from "./catalogue.ts";
import { checkContainers } from "./validation/containers.ts";
import { checkCycles, checkEdges } from "./validation/edges.ts";
import { type FlowReferences, prepareFlow } from "./validation/flow-to-check.ts";
import { checkInputs, warnUnknownInputs } from "./validation/inputs.ts";
import { checkNodes, checkSettings } from "./validation/nodes.ts";
import { checkOverrideKeys } from "./validation/override-keys.ts";
import { checkDisabled, reachableNodes, warnUnreachable } from "./validation/reachability.ts";
import { checkCredentials, checkTargets } from "./validation/references.ts";
import { warnMisplacedReads, warnNoReturn, warnUnusedOutputs } from "./validation/usage.ts";

export interface FlowValidation {
  /** Any of them keeps the flow from running. */
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

export function validateFlow(
  graph: FlowGraph,
  catalogue: NodeCatalogue,
  references: FlowReferences,
): FlowValidation {
  const flow = prepareFlow(graph, catalogue, references);
  const reachable = reachableNodes(flow);
  const { errors: inputErrors, inputs } = checkInputs(flow);
  return {
    errors: [
      ...checkNodes(flow),
      ...checkContainers(flow),
      ...checkEdges(flow),
      ...checkCycles(flow),
      ...checkSettings(flow),
      ...checkDisabled(flow, reachable),
      ...inputErrors,
      ...checkCredentials(flow),
      ...checkTargets(flow, inputs),
      ...checkOverrideKeys(graph, catalogue),
    ],
    warnings: [
      ...warnUnreachable(flow, reachable),
      ...warnNoReturn(flow),
      ...warnUnknownInputs(flow),
      ...warnMisplacedReads(flow, inputs),
      ...warnUnusedOutputs(flow, inputs, reachable),
    ],
  };
}
