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
    notes: [
      { id: "why", text: "", position: { x: -4, y: 0.5 } },
      { id: "how", text: "Ask Ada", position: { x: 1, y: 2 }, width: 300, height: 80 },
    ],
    viewport: { x: 0, y: 0, zoom: 1 },
  };
  expect(flowGraphSchema.parse(saved)).toEqual(saved);
});

test("what cannot be read is refused", () => {
  const node = { id: "a", type: "set" };
  const note = { id: "n", text: "Why", position: { x: 1, y: 2 } };
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
    ...[
      [{ ...note, id: "a b" }],
      [{ ...note, text: null }],
      [{ ...note, text: "x".repeat(10_001) }],
      [{ ...note, position: { x: 1 } }],
      [{ ...note, width: 0 }],
      [{ ...note, colour: "red" }],
      [note, note],
      Array.from({ length: 501 }, (_, at) => ({ ...note, id: `n${at}` })),
    ].map((notes) => ({ nodes: [node], edges: [], notes })),
    { nodes: Array.from({ length: 2_001 }, () => node), edges: [] },
    { nodes: [], edges: Array.from({ length: 10_001 }, () => ({ source: "a", target: "b" })) },
  ]) {
    expect(flowGraphSchema.safeParse(graph).success).toBe(false);
  }
});
