import type { FlowGraph } from "@millrace/contract/documents/graph";
import { nameOf } from "./validation/flow-to-check.ts";

/** Where in a graph a validation error speaks of, as closely as its text says: a node, one of its inputs, an edge. */
export function placeOfError({ nodes, edges }: FlowGraph, error: string): PropertyKey[] {
  const node = nodes.findIndex((one) => error.startsWith(`${nameOf(one)}:`));
  const edgeId = /^(?:Edge|Node "[^"]*"(?: \(.*?\))?: edge) "([^"]+)"/.exec(error)?.[1];
  const edge = edgeId === undefined ? -1 : edges.findIndex(({ id }) => id === edgeId);
  if (node === -1) return edge === -1 ? [] : ["edges", edge];
  const input = /\binput "([\w$-]+)/.exec(error)?.[1];
  const inputs = nodes[node]!.data?.inputs ?? {};
  if (input !== undefined && Object.hasOwn(inputs, input)) return ["nodes", node, "data", "inputs", input];
  return ["nodes", node];
}
