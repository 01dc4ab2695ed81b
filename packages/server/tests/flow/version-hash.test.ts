import { flowGraphSchema } from "@millrace/contract/documents/graph";
import { expect, test } from "vitest";
import { hashExecutableGraph } from "../../src/domain/flow/version-hash.ts";

const graph = {
  nodes: [
    { id: "start", type: "start", data: {} },
    { id: "a", type: "set", data: { label: "A", inputs: { values: { x: 1, y: [1, 2] } } } },
  ],
  edges: [
    { id: "e1", source: "start", target: "a" },
    { id: "e2", source: "a", target: "start" },
  ],
};

function hash(change: (copy: typeof graph) => unknown): string {
  const copy = structuredClone(graph);
  return hashExecutableGraph(flowGraphSchema.parse(change(copy) ?? copy));
}
const original = hash(() => undefined);

test("what only the canvas sees does not change the hash", () => {
  expect(original).toMatch(/^[0-9a-f]{64}$/);
  expect(hash((copy) => ({ ...copy, viewport: { x: 1, y: 2, zoom: 1 } }))).toBe(original);
  const note = { id: "n", text: "Why", position: { x: 1, y: 2 } };
  expect(hash((copy) => ({ ...copy, notes: [note] }))).toBe(original);
  expect(
    hash((copy) => Object.assign(copy.nodes[0] as object, { position: { x: 4 }, width: 3 }) && undefined),
  ).toBe(original);
  expect(hash((copy) => void ((copy.nodes[1] as { data: { label: string } }).data.label = "B"))).toBe(
    original,
  );
  expect(hash((copy) => ({ nodes: copy.nodes.toReversed(), edges: copy.edges.toReversed() }))).toBe(original);
  expect(hash((copy) => void ((copy.edges[0] as { id: string }).id = "other"))).toBe(original);
  expect(
    hash(
      (copy) =>
        Object.assign((copy.nodes[0] as { data: object }).data, { onError: null, disabled: false }) &&
        undefined,
    ),
  ).toBe(original);
});

test("what a run does changes the hash", () => {
  const changes: ((copy: typeof graph) => unknown)[] = [
    (copy) => ({ ...copy, edges: copy.edges.slice(1) }),
    (copy) => void ((copy.nodes[1] as { type: string }).type = "template"),
    (copy) =>
      void ((copy.nodes[1] as never as { data: { inputs: object } }).data.inputs = {
        values: { x: 1, y: [2, 1] },
      }),
    // What is sent and shown has the keys in their order.
    (copy) =>
      void ((copy.nodes[1] as never as { data: { inputs: object } }).data.inputs = {
        values: { y: [1, 2], x: 1 },
      }),
    (copy) => Object.assign(copy.edges[0] as object, { sourceHandle: "out" }) && undefined,
    (copy) => Object.assign(copy.nodes[1] as object, { parentId: "start" }) && undefined,
    ...[
      { credential: "c" },
      { disabled: true },
      { retry: { maxAttempts: 2 } },
      { timeoutSeconds: 1 },
      { onError: "branch" },
      { join: "any" },
    ].map(
      (setting) => (copy: typeof graph) =>
        Object.assign((copy.nodes[0] as { data: object }).data, setting) && undefined,
    ),
  ];
  const hashes = new Set([original, ...changes.map(hash)]);
  expect(hashes.size).toBe(changes.length + 1);
});
