import type { FlowGraph, FlowNode } from "@millrace/contract/documents/graph";
import type { NodeCatalogue, NodeKind } from "./catalogue.ts";
import { isEmpty, isOpenInput, isRequired } from "./node-inputs.ts";
import { reachableNodes } from "./validation/reachability.ts";

/** An input that a node cannot do without and that the document leaves empty: each trigger has to supply it. */
export interface FlowNeed {
  /** `{nodeId}_{inputName}`, as triggers and webhooks name it. */
  readonly key: string;
  readonly nodeId: string;
  readonly inputName: string;
}

/** The required inputs of a node that its document leaves empty: absent, `null` or `""`, as for a webhook that fills them. */
export function emptyInputs(node: FlowNode, kind: NodeKind): string[] {
  return Object.keys(kind.inputs.shape).filter(
    (name) => isRequired(kind, name) && isEmpty(ownValue(node.data?.inputs, name)),
  );
}

/** What is never reached needs nothing. */
export function needsOf(graph: FlowGraph, catalogue: NodeCatalogue): FlowNeed[] {
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  const reachable = reachableNodes({ graph, nodes });
  return graph.nodes.flatMap((node) => {
    const kind = catalogue.get(node.type);
    if (kind === undefined || !reachable.has(node.id)) return [];
    return emptyInputs(node, kind)
      .filter((name) => isOpenInput(kind, name))
      .map((inputName) => ({ key: `${node.id}_${inputName}`, nodeId: node.id, inputName }));
  });
}

function ownValue(object: Readonly<Record<string, unknown>> | null | undefined, key: string): unknown {
  return object != null && Object.hasOwn(object, key) ? object[key] : undefined;
}
