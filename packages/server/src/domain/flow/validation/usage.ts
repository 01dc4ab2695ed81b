import type { InputsByNode } from "./inputs.ts";
import { nameOf, type FlowToCheck } from "./flow-to-check.ts";

/** Types that do nothing but make an output: one that nobody reads is work for nothing. */
const onlyMakesOutput = new Set(["set", "template", "transform", "code", "filter", "list", "merge"]);

export function warnNoReturn({ graph }: FlowToCheck): string[] {
  if (graph.nodes.length === 0 || graph.nodes.some(({ type }) => type === "return")) return [];
  return ['The flow has no "return" node, so its output is the outputs of its last nodes by id.'];
}

/** Outputs that nobody uses, and expressions over nodes that do not exist. */
export function warnUsage(flow: FlowToCheck, inputs: InputsByNode, reachable: ReadonlySet<string>): string[] {
  const { graph, nodes } = flow;
  const used = new Set<string>();
  let usesAny = false;
  const warnings: string[] = [];
  for (const node of graph.nodes) {
    const expressions = (inputs.get(node.id) ?? []).flatMap(({ template }) => template.expressions);
    for (const { names, nodes: read } of expressions) {
      // `nodes` as a whole, or by a computed name, may be any of them.
      if (names === undefined || (names.has("nodes") && read.size === 0)) usesAny = true;
      for (const id of read) {
        used.add(id);
        if (nodes.has(id)) continue;
        warnings.push(
          `${nameOf(node)}: an expression reads nodes.${id}, but there is no such node; an id with - is written in backticks.`,
        );
      }
    }
  }
  if (usesAny) return warnings;
  const hasReturn = graph.nodes.some(({ type }) => type === "return");
  const sources = new Set(graph.edges.map(({ source }) => source));
  for (const node of graph.nodes) {
    const isResult = !sources.has(node.id) && (node.parentId != null || !hasReturn);
    if (!onlyMakesOutput.has(node.type) || used.has(node.id) || isResult || !reachable.has(node.id)) continue;
    warnings.push(`${nameOf(node)}: nobody uses its output; read it as nodes.${node.id} or remove the node.`);
  }
  return warnings;
}
