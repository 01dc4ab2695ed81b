import { CompletionContext } from "@codemirror/autocomplete";
import { EditorState } from "@codemirror/state";
import { describe, expect, it } from "vitest";
import type { Flow } from "../src/pages/editor/flow.ts";
import { complete } from "../src/pages/editor/live/completion.ts";
import { fieldValue } from "../src/pages/editor/live/field-value.ts";
import type { EvaluatedNode } from "../src/pages/editor/live/live-store.ts";
import { nodesBefore, scopeOf } from "../src/pages/editor/live/scope.ts";

const flow: Flow = {
  graph: {
    nodes: [
      { id: "start", type: "start" },
      { id: "fetch", type: "http-request" },
      { id: "each", type: "for-each" },
      { id: "line", type: "set", parentId: "each" },
      { id: "beside", type: "set" },
      { id: "end", type: "return" },
    ],
    edges: [
      { source: "start", target: "fetch" },
      { source: "start", target: "beside" },
      { source: "fetch", target: "each" },
      { source: "each", sourceHandle: "done", target: "end" },
    ],
  },
};
const evaluated = (nodeId: string, more: object): [string, EvaluatedNode] => [
  nodeId,
  {
    nodeKey: nodeId,
    nodeId,
    type: "",
    status: "COMPLETED",
    source: "evaluated",
    changed: false,
    inputChanged: false,
    ...more,
  },
];
const nodes = new Map([
  evaluated("fetch", { output: { status: 200, body: { id: 7, "odd name": 1 } } }),
  evaluated("each", { input: { items: [{ sku: "mug" }] } }),
]);
const scope = scopeOf(flow, "line", { nodes, trigger: { trigger: { body: { email: "a@b.c" } } } as never });
const labels = (text: string, language: "template" | "expression" = "template") => {
  const at = text.indexOf("|");
  const state = EditorState.create({ doc: text.replace("|", "") });
  const found = complete(new CompletionContext(state, at, false), language, scope);
  return found?.options.map(({ label }) => label);
};

describe("completion", () => {
  it("knows what a node can read: what comes before it and its container, and nothing beside", () => {
    expect(nodesBefore(flow.graph, "line")).toEqual(["start", "fetch"]);
    expect(nodesBefore(flow.graph, "end")).toEqual(["start", "fetch", "each"]);
    expect(labels("{{ nodes.|")).toEqual(["start", "fetch"]);
  });

  it("offers the names of recorded values, in backticks where they need them", () => {
    expect(labels("{{ nodes.fetch.body.|")).toEqual(["id", "`odd name`"]);
    expect(labels("{{ trigger.body.e|")).toEqual(["email"]);
    expect(labels("{{ item.|")).toEqual(["sku"]);
    expect(labels("{{ | }}")).toContain("trigger");
    expect(labels("$su|", "expression")).toContain("$sum");
  });

  it("offers nothing outside of an expression", () => {
    expect(labels("Hello nodes.|")).toBeUndefined();
    expect(labels("{{ data }} nodes.|")).toBeUndefined();
  });
});

it("the result of a field is its evaluated input, and of a bare expression what the node gives", () => {
  const node = evaluated("x", { input: { body: { to: "Ada" } }, output: { value: 5 } })[1];
  const at = (path: (string | number)[], language: "template" | "expression" = "template") =>
    fieldValue(node, { nodeId: "x", path: ["data", "inputs", ...path], language });
  expect(at(["body", "to"])).toEqual({ value: "Ada" });
  expect(at(["body", "nobody"])).toBeUndefined();
  expect(at(["expression"], "expression")).toEqual({ value: 5 });
  expect(fieldValue(node, { nodeId: "x", path: ["data", "label"], language: "text" })).toBeUndefined();
});
