import { type BenchNode, flow } from "./workspace.ts";

/** A flow that a tenant writes to take as much as it can get; one more is one more entry. */
export interface WorstFlow {
  readonly name: string;
  readonly nodes: readonly BenchNode[];
  /** What each run is given. */
  readonly data?: object;
}

const start: BenchNode = { id: "start", type: "start" };

/** `hangingUrl` accepts connections and never answers. */
export const worstFlows = (hangingUrl: string, agentId: string): readonly WorstFlow[] => [
  {
    name: "loop",
    nodes: [start, { id: "loop", type: "while", inputs: { condition: true, maxIterations: 10_000 } }],
  },
  {
    name: "filter",
    nodes: [
      start,
      {
        id: "filter",
        type: "filter",
        inputs: { items: "{{ data.items }}", condition: "{{ $contains(data.text, item) }}" },
      },
    ],
    data: { items: Array.from({ length: 5_000 }, (_, at) => `item ${at}`), text: "item ".repeat(10_000) },
  },
  {
    name: "list",
    nodes: [
      start,
      { id: "sort", type: "list", inputs: { items: "{{ data.items }}", operation: "sort" } },
      { id: "again", type: "list", inputs: { items: "{{ nodes.sort.items }}", operation: "unique" } },
    ],
    data: { items: Array.from({ length: 10_000 }, (_, at) => `${(at * 7919) % 10_000} of many`) },
  },
  {
    name: "code",
    nodes: [start, { id: "code", type: "code", inputs: { source: "while (true) {}" } }],
  },
  {
    name: "expression",
    nodes: [start, { id: "set", type: "set", inputs: { values: { sum: "{{ $sum([1..90000].($ * $)) }}" } } }],
  },
  {
    name: "http",
    nodes: [start, { id: "call", type: "http-request", inputs: { url: hangingUrl } }],
  },
  {
    name: "chat",
    nodes: [start, { id: "ask", type: "agent", inputs: { agentId, message: "hello" } }],
  },
];

export function worstFlowDocuments(
  organizationId: string,
  flows: readonly WorstFlow[],
  agent: { readonly id: string; readonly baseUrl: string },
): object[] {
  const design = { provider: { type: "openai-compatible", baseUrl: agent.baseUrl, model: "none" } };
  return [
    { kind: "Agent", id: agent.id, organizationId, name: agent.id, design },
    ...flows.map(({ name, nodes }) => flow(organizationId, `flow_${name}`, nodes)),
  ];
}
