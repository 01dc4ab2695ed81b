import type { Section } from "../support/section.ts";
import { compareThroughput, rateFigure, referenceTarget, serviceTarget } from "../support/throughput.ts";
import { withReference } from "../support/with-reference.ts";
import { type BenchNode, flow, organization, ORGANIZATION } from "../support/workspace.ts";

const CONNECTIONS = 128;

// 12 nodes of which 11 run, with 23 expressions, all of them bounded.
export const TWELVE: readonly BenchNode[] = [
  { id: "start", type: "start" },
  {
    id: "order",
    type: "set",
    inputs: {
      values: {
        customer: "{{ data.name }}",
        lines: [
          { sku: "a", price: 12.5, count: 2 },
          { sku: "b", price: 3, count: 7 },
          { sku: "c", price: 99, count: 1 },
        ],
        country: "{{ data.country ? data.country : 'TR' }}",
      },
    },
  },
  {
    id: "sums",
    type: "set",
    inputs: {
      values: {
        net: "{{ $sum(nodes.order.lines.price) }}",
        count: "{{ $sum(nodes.order.lines.count) }}",
        first: "{{ nodes.order.lines[0].sku }}",
        greeting: "Dear {{ nodes.order.customer }} ({{ nodes.order.country }}),",
      },
    },
  },
  {
    id: "dear",
    type: "filter",
    inputs: { items: "{{ nodes.order.lines }}", condition: "{{ item.price > 10 }}" },
  },
  {
    id: "sorted",
    type: "list",
    inputs: { items: "{{ nodes.dear.items }}", operation: "sort", by: "price", order: "desc" },
  },
  { id: "large", type: "if", inputs: { condition: "{{ nodes.sums.net > 100 and nodes.sums.count >= 3 }}" } },
  {
    id: "discount",
    type: "set",
    after: ["large:true"],
    inputs: { values: { rate: 0.1, amount: "{{ nodes.sums.net * 0.1 }}" } },
  },
  { id: "full", type: "set", after: ["large:false"], inputs: { values: { rate: 0, amount: 0 } } },
  {
    id: "price",
    type: "merge",
    after: ["discount", "full"],
    inputs: { sources: ["{{ nodes.discount }}", "{{ nodes.full }}", { net: "{{ nodes.sums.net }}" }] },
  },
  {
    id: "total",
    type: "set",
    inputs: { values: { total: "{{ nodes.price.value.net - nodes.price.value.amount }}" } },
  },
  {
    id: "letter",
    type: "template",
    inputs: {
      text: "{{ nodes.sums.greeting }} your {{ nodes.sums.count }} items cost {{ nodes.total.total }} instead of {{ nodes.sums.net }}.",
    },
  },
  {
    id: "done",
    type: "return",
    inputs: {
      value: {
        letter: "{{ nodes.letter.text }}",
        total: "{{ nodes.total.total }}",
        dearest: "{{ nodes.sorted.items[0].sku }}",
      },
    },
  },
];

const EFFECTS = new Set(["dear", "sorted", "total"]);
const withEffects = (effect: (id: string) => Record<string, unknown>) =>
  TWELVE.map((node): BenchNode =>
    EFFECTS.has(node.id) ? { id: node.id, type: "store", inputs: effect(node.id) } : node,
  );

/** The same, with three of its nodes looking something up. */
export const WITH_EFFECTS = withEffects((id) => ({ operation: "get", key: `${id}.{{ data.name }}` }));
/** The same, with three of its nodes changing something: each is stored before the next one starts. */
const WITH_WRITES = withEffects((id) => ({
  operation: "set",
  key: `${id}.{{ run.id }}`,
  value: "{{ nodes.sums.net }}",
}));

export const nodes: Section = {
  name: "nodes",
  summary: "completed runs a second: twelve nodes with expressions, and with three effects",
  run: (bench) =>
    withReference(
      bench,
      "nodes",
      {
        organizationId: ORGANIZATION,
        documents: [
          organization(ORGANIZATION),
          flow(ORGANIZATION, "flow_twelve", TWELVE),
          flow(ORGANIZATION, "flow_effects", WITH_EFFECTS),
          flow(ORGANIZATION, "flow_writes", WITH_WRITES),
        ],
      },
      async (pair) => {
        const rounds = await compareThroughput(bench, [
          referenceTarget(pair, CONNECTIONS),
          serviceTarget(pair, "flow_twelve", CONNECTIONS),
          serviceTarget(pair, "flow_effects", CONNECTIONS),
          serviceTarget(pair, "flow_writes", CONNECTIONS),
        ]);
        return [
          rateFigure("completed runs, 12 nodes", rounds, 1, 0.12),
          rateFigure("completed runs, 12 nodes, 3 effects", rounds, 2, 0.25),
          rateFigure("completed runs, 12 nodes, 3 effects that change something", rounds, 3),
        ];
      },
    ),
};
