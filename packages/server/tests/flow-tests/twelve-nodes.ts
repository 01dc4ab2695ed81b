import { node, type TestGraph } from "../support/runs-flows.ts";

interface GraphOptions {
  readonly condition?: string;
  readonly path?: string;
  readonly sum?: string;
}

/** Twelve nodes: effects in a loop and beside each other, a failure that is handled, time and chance. */
export function twelveNodes(
  receiverUrl: string,
  { condition = "{{ data.amount > 500 }}", path = "/charge/", sum = "$count(data.tags)" }: GraphOptions = {},
): TestGraph {
  const url = (place: string) => `${receiverUrl}${place}`;
  const nodes = [
    { id: "start", type: "start", data: {} },
    node("stamp", "set", { values: { at: "{{ $millis() }}", chance: "{{ $random() }}" } }),
    node("large", "if", { condition }),
    node("charge", "http-request", { url: url(`${path}{{ data.amount }}`) }, { onError: "continue" }),
    node("small", "set", { values: { small: true } }),
    node("each", "for-each", { items: "{{ data.tags }}", concurrency: 2 }),
    {
      id: "look",
      type: "http-request",
      parentId: "each",
      data: { inputs: { url: url("/look/{{ item }}") } },
    },
    {
      id: "name",
      type: "set",
      parentId: "each",
      data: { inputs: { values: { id: "{{ nodes.look.body.id }}" } } },
    },
    node("count", "store", { operation: "increment", key: "runs" }),
    node("total", "transform", { expression: sum }),
    node("text", "template", { text: "{{ nodes.total.value }} tags at {{ $now() }}" }, { join: "all" }),
    node("done", "return", {
      value: {
        at: "{{ nodes.stamp }}",
        charge: "{{ nodes.charge.body.id }}",
        error: "{{ nodes.charge.error.name }}",
        names: "{{ nodes.each.items.id }}",
        text: "{{ nodes.text.text }}",
      },
    }),
  ];
  const edge = (source: string, target: string, sourceHandle?: string) => ({
    id: `${source}-${target}`,
    source,
    target,
    ...(sourceHandle && { sourceHandle }),
  });
  const edges = [
    edge("start", "stamp"),
    edge("stamp", "large"),
    edge("large", "charge", "true"),
    edge("large", "small", "false"),
    edge("charge", "each"),
    edge("small", "each"),
    edge("look", "name"),
    edge("stamp", "count"),
    edge("each", "total"),
    edge("total", "text"),
    edge("count", "text"),
    edge("text", "done"),
  ];
  return { nodes, edges };
}
