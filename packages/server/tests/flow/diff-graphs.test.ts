import { flowGraphSchema } from "@millrace/contract/documents/graph";
import { describe, expect, it } from "vitest";
import { diffGraphs, diffSettings } from "../../src/domain/flow/diff-graphs.ts";
import { finishSliced } from "../../src/domain/sliced.ts";

const graph = (nodes: readonly object[], edges: readonly object[] = []) =>
  flowGraphSchema.parse({ nodes, edges });
const diff = (from: ReturnType<typeof graph>, to: ReturnType<typeof graph>) =>
  finishSliced(diffGraphs(from, to));

/** What is said of one node that was `before` and is now `after`. */
function textsOf(before: object, after: object): string[] {
  const node = { id: "x", type: "set" };
  const changes = diff(graph([{ ...node, ...before }]), graph([{ ...node, ...after }]));
  expect(changes.every(({ what, id, change }) => `${what} ${id} ${change}` === "node x changed")).toBe(true);
  return changes.map(({ text }) => text);
}

describe("the difference of two graphs", () => {
  it("names nodes that came and went, in the order of the graphs", () => {
    const labelled = { id: "b", type: "http-request", data: { label: "Fetch" } };
    const changes = diff(graph([{ id: "s", type: "start" }, labelled]), graph([{ id: "c", type: "set" }]));
    expect(changes).toEqual([
      { what: "node", id: "c", change: "added", text: 'Node "c" of type set was added.', type: "set" },
      {
        what: "node",
        id: "s",
        change: "removed",
        text: 'Node "s" of type start was removed.',
        type: "start",
      },
      {
        what: "node",
        id: "b",
        change: "removed",
        text: 'Node "b" (Fetch) of type http-request was removed.',
        label: "Fetch",
        type: "http-request",
      },
    ]);
  });

  it("says what of a node changed: type, place, settings, retries and inputs", () => {
    expect(textsOf({}, { type: "template" })).toEqual(['Node "x": its type changed from set to template.']);
    expect(textsOf({ parentId: "each" }, {})).toEqual([
      'Node "x": it moved from the container "each" to the flow itself.',
    ]);
    expect(textsOf({ parentId: null }, { parentId: "each" })).toEqual([
      'Node "x": it moved from the flow itself to the container "each".',
    ]);
    const before = { retry: { maxAttempts: 2 }, timeoutSeconds: 5, inputs: { values: { a: 1 }, old: "x" } };
    const after = { retry: { maxAttempts: 3 }, join: "any", inputs: { values: { a: 2 }, old: null } };
    expect(textsOf({ data: before }, { data: after })).toEqual([
      'Node "x": timeoutSeconds was removed; it was 5.',
      'Node "x": retry.maxAttempts changed from 2 to 3.',
      'Node "x": join was set to "any".',
      'Node "x": the input "values" changed from {"a":1} to {"a":2}.',
      'Node "x": the input "old" was removed; it was "x".',
    ]);
  });

  it("says the same without words, for those who have others", () => {
    const node = { id: "x", type: "set", data: { label: "x" } };
    const from = graph([{ ...node, parentId: "each", data: { inputs: { values: { a: 1 }, old: "x" } } }]);
    const to = graph([{ ...node, type: "template", data: { label: "Greet", inputs: { values: { a: 2 } } } }]);
    const said = diff(from, to).map(({ field, before, after, label }) => [field, before, after, label]);
    expect(said).toEqual([
      ["type", '"set"', '"template"', "Greet"],
      ["parentId", '"each"', undefined, "Greet"],
      ["label", undefined, '"Greet"', "Greet"],
      ["inputs.values", '{"a":1}', '{"a":2}', "Greet"],
      ["inputs.old", '"x"', undefined, "Greet"],
    ]);
    const unnamed = diff(graph([node]), graph([{ ...node, type: "code" }]));
    expect(unnamed.map(({ label }) => label)).toEqual([undefined]);
  });

  it("shows the beginning of a long value", () => {
    const long = { data: { inputs: { text: "x".repeat(500) } } };
    expect(textsOf({}, long)).toEqual([`Node "x": the input "text" was set to "${"x".repeat(119)}….`]);
  });

  it("is nothing where only the canvas changed, or null took the place of nothing", () => {
    expect(
      textsOf(
        { position: { x: 1, y: 1 }, data: { ui: { color: "red" }, onError: null, inputs: { a: null } } },
        { position: { x: 9, y: 9 }, data: { ui: { color: "blue" }, retry: null } },
      ),
    ).toEqual([]);
    expect(textsOf({ parentId: null, data: null }, {})).toEqual([]);
  });

  it("names edges by what they join, whatever their ids and order are", () => {
    const edges = [
      { id: "e1", source: "a", target: "b" },
      { id: "e2", source: "a", sourceHandle: "error", target: "c" },
    ];
    const renamed = [
      { ...edges[1], id: "other" },
      { source: "a", target: "b" },
    ];
    expect(diff(graph([], edges), graph([], renamed))).toEqual([]);
    expect(diff(graph([], edges), graph([], [edges[0]!, { source: "b", target: "c" }]))).toEqual([
      { what: "edge", id: "b → c", change: "added", text: "The edge b → c was added." },
      {
        what: "edge",
        id: "a (error) → c",
        change: "removed",
        text: "The edge a (error) → c was removed.",
      },
    ]);
  });
});

describe("the difference of two settings", () => {
  it("names what was set, removed and changed, and nothing else", () => {
    const from = { input: { type: "object" }, onFailure: "flow_a" };
    const to = { tool: { description: "Greets." }, onFailure: "flow_b" };
    expect(diffSettings(from, to)).toEqual([
      {
        what: "setting",
        id: "input",
        change: "removed",
        text: 'The flow: input was removed; it was {"type":"object"}.',
        before: '{"type":"object"}',
      },
      {
        what: "setting",
        id: "tool",
        change: "added",
        text: 'The flow: tool was set to {"description":"Greets."}.',
        after: '{"description":"Greets."}',
      },
      {
        what: "setting",
        id: "onFailure",
        change: "changed",
        text: 'The flow: onFailure changed from "flow_a" to "flow_b".',
        before: '"flow_a"',
        after: '"flow_b"',
      },
    ]);
    expect(diffSettings(from, { ...from })).toEqual([]);
  });
});
