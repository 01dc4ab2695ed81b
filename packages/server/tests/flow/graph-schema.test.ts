import { flowGraphSchema } from "@millrace/contract/documents/graph";
import { expect, test } from "vitest";

test("a canvas is kept as it was saved", () => {
  const saved = {
    nodes: [
      {
        id: "a",
        type: "no-such-type",
        position: { x: 1, y: 2 },
        measured: { width: 3 },
        data: { ui: { color: "red" } },
      },
    ],
    edges: [{ id: "e", source: "a", target: "gone", sourceHandle: null, animated: true }],
    viewport: { x: 0, y: 0, zoom: 1 },
  };
  expect(flowGraphSchema.parse(saved)).toEqual(saved);
});

test("what cannot be read is refused", () => {
  const node = { id: "a", type: "set" };
  for (const graph of [
    {},
    { nodes: [node] },
    { nodes: [{ ...node, id: "a b" }], edges: [] },
    { nodes: [{ ...node, id: "x".repeat(65) }], edges: [] },
    { nodes: [{ ...node, data: { inputs: [] } }], edges: [] },
    { nodes: [{ ...node, data: { color: "red" } }], edges: [] },
    { nodes: [{ ...node, positon: {} }], edges: [] },
    { nodes: [node], edges: [{ source: "a", target: "b", sourceHandel: "out" }] },
    { nodes: [node], edges: [], viewPort: {} },
    { nodes: Array.from({ length: 2_001 }, () => node), edges: [] },
    { nodes: [], edges: Array.from({ length: 10_001 }, () => ({ source: "a", target: "b" })) },
  ]) {
    expect(flowGraphSchema.safeParse(graph).success).toBe(false);
  }
});
