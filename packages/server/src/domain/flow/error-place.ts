import type { FlowGraph } from "@millrace/contract/documents/graph";
import { nameOf } from "./validation/flow-to-check.ts";

/** Says where in a graph a validation error speaks of, as closely as its text does: a node, one of its inputs, an edge. */
export function errorPlaces({ nodes, edges }: FlowGraph): (error: string) => PropertyKey[] {
  // Backwards, so that the first of several counts.
  const nodeAt = new Map(nodes.map(({ id }, index) => [id, index] as const).toReversed());
  const edgeAt = new Map(edges.map(({ id }, index) => [id, index] as const).toReversed());
  return (error) => {
    const node = nodeAt.get(/^Node "([^"]+)"/.exec(error)?.[1] ?? "");
    const edge = edgeAt.get(/^(?:Edge|Node "[^"]*"(?: \(.*?\))?: edge) "([^"]+)"/.exec(error)?.[1] ?? "");
    if (node === undefined || !error.startsWith(`${nameOf(nodes[node]!)}:`))
      return edge === undefined ? [] : ["edges", edge];
    const input = /\binput "([\w$-]+)/.exec(error)?.[1];
    const inputs = nodes[node]!.data?.inputs ?? {};
    if (input !== undefined && Object.hasOwn(inputs, input)) return ["nodes", node, "data", "inputs", input];
    return ["nodes", node];
  };
}
