import type { Sliced } from "../../sliced.ts";
import type { FlowNode } from "@millrace/contract/documents/graph";
import type { CompiledExpression } from "../expressions/compiled-expression.ts";
import { nameOf, type FlowToCheck } from "./flow-to-check.ts";
import type { InputsByNode } from "../compile.ts";

/** Types that do nothing but make an output: one that nobody reads is work for nothing. */
const onlyMakesOutput = new Set(["set", "template", "transform", "code", "filter", "list", "merge"]);

export function warnNoReturn({ graph }: FlowToCheck): string[] {
  if (graph.nodes.length === 0 || graph.nodes.some(({ type }) => type === "return")) return [];
  return ['The flow has no "return" node, so its output is the outputs of its last nodes by id.'];
}

export function warnUnusedOutputs(
  { graph }: FlowToCheck,
  inputs: InputsByNode,
  reachable: ReadonlySet<string>,
): string[] {
  const expressions = [...inputs.values()].flat().flatMap(({ template }) => template.expressions);
  // `nodes` as a whole, or by a computed name, may be any of them.
  if (expressions.some(({ names, nodes }) => names === undefined || (names.has("nodes") && nodes.size === 0)))
    return [];
  const used = nodesReadBy(expressions);
  const hasReturn = graph.nodes.some(({ type }) => type === "return");
  const sources = new Set(graph.edges.map(({ source }) => source));
  const isResult = (node: FlowNode) => !sources.has(node.id) && (node.parentId != null || !hasReturn);
  return graph.nodes
    .filter(
      (node) =>
        onlyMakesOutput.has(node.type) && reachable.has(node.id) && !used.has(node.id) && !isResult(node),
    )
    .map(
      (node) => `${nameOf(node)}: its output is never used; read it as nodes.${node.id} or remove the node.`,
    );
}

/** An expression that reads a node which does not come before it finds nothing, or only by chance. */
export function* warnMisplacedReads(flow: FlowToCheck, inputs: InputsByNode): Sliced<string[]> {
  const incoming = Map.groupBy(flow.graph.edges, ({ target }) => target);
  const warnings: string[] = [];
  for (const node of flow.graph.nodes) {
    const expressions = (inputs.get(node.id) ?? []).flatMap(({ template }) => template.expressions);
    const read = nodesReadBy(expressions);
    if (read.size === 0) continue;
    const isBefore = nodesBefore(node, flow, incoming);
    for (const id of read) {
      if (isBefore(id) || !flow.nodes.has(id)) continue;
      warnings.push(
        `${nameOf(node)}: an expression reads nodes.${id}, which does not come before it; lead an edge from "${id}" to it.`,
      );
    }
    yield;
  }
  return warnings;
}

function nodesReadBy(expressions: readonly CompiledExpression[]): ReadonlySet<string> {
  const read = new Set<string>();
  for (const { nodes } of expressions) for (const id of nodes) read.add(id);
  return read;
}

/** Nodes that lead to this one or to a container around it; in a `while`, those of the round before. */
function nodesBefore(
  node: FlowNode,
  { graph, nodes }: FlowToCheck,
  incoming: ReadonlyMap<string, readonly { readonly source: string }[]>,
): (id: string) => boolean {
  const before = new Set<string>();
  const scopes = new Set<string>();
  const pending = [node.id];
  const rounds = new Set<string>(node.type === "while" ? [node.id] : []);
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    for (const { source } of incoming.get(id) ?? []) {
      if (before.has(source)) continue;
      before.add(source);
      pending.push(source);
    }
    const parentId = nodes.get(id)?.parentId;
    if (parentId == null || scopes.has(parentId)) continue;
    scopes.add(parentId);
    if (nodes.get(parentId)?.type === "while") rounds.add(parentId);
    pending.push(parentId);
  }
  for (const { id, parentId } of graph.nodes) if (parentId != null && rounds.has(parentId)) before.add(id);
  return (id) => before.has(id);
}
