import type { FlowGraph } from "@millrace/contract/documents/graph";
import type { NodeCatalogue } from "../catalogue.ts";
import { overrideKeys } from "../override-keys.ts";
import { nameOf } from "./flow-to-check.ts";

/** A trigger must be able to name each input in one way only. Two nodes of one id are another rule's matter. */
export function checkOverrideKeys(graph: FlowGraph, catalogue: NodeCatalogue): string[] {
  const errors: string[] = [];
  for (const [key, [first, second]] of overrideKeys(graph, catalogue)) {
    if (first === undefined || second === undefined || first.node.id === second.node.id) continue;
    errors.push(
      `${nameOf(second.node)}: "${key}" could mean its input "${second.inputName}" or "${first.inputName}" of node "${first.node.id}"; rename one of the two nodes.`,
    );
  }
  return errors;
}
