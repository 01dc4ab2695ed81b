/** Graphs for tests, as a canvas would save them. */
export interface TestNode {
  readonly id: string;
  readonly type: string;
  readonly data?: object;
  readonly parentId?: string;
}

export interface TestGraph {
  readonly nodes: readonly TestNode[];
  readonly edges: readonly { id: string; source: string; target: string; sourceHandle?: string }[];
}

/** One node after the other, behind a start node. */
export function chain(...nodes: readonly TestNode[]): TestGraph {
  const all = [{ id: "start", type: "start", data: {} }, ...nodes];
  const edges = nodes.map((node, at) => ({ id: `e${at}`, source: all[at]!.id, target: node.id }));
  return { nodes: all, edges };
}

/** All of them at once, behind a start node. */
export function fan(...nodes: readonly TestNode[]): TestGraph {
  const edges = nodes.map((node, at) => ({ id: `e${at}`, source: "start", target: node.id }));
  return { nodes: [{ id: "start", type: "start", data: {} }, ...nodes], edges };
}

/** One more node, behind those that are named and by the handles that are. */
export function joined(graph: TestGraph, last: TestNode, ...from: [string, string?][]): TestGraph {
  const edges = from.map(([source, sourceHandle], at) => ({
    id: `${last.id}${at}`,
    source,
    target: last.id,
    ...(sourceHandle && { sourceHandle }),
  }));
  return { nodes: [...graph.nodes, last], edges: [...graph.edges, ...edges] };
}

export function node(id: string, type: string, inputs: object = {}, data: object = {}): TestNode {
  return { id, type, data: { inputs, ...data } };
}

/** Echoes what it was given. */
export const hello = chain(
  node("greet", "set", { values: { text: "Hello {{ trigger.body.name }}" } }),
  node("done", "return", { value: { text: "{{ nodes.greet.text }}", data: "{{ data }}" } }),
);
