import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { renderNodeReference } from "../../../../scripts/generate-docs.ts";
import { nodeTypes } from "../../src/engine/nodes/registry.ts";

const CATALOGUE =
  "start set template transform code http-request if switch filter list merge for-each while wait approval run-flow return fail llm agent mcp-tool sql email store";

describe("the catalogue", () => {
  it("holds the 24 documented types", () => {
    expect([...nodeTypes.keys()].sort()).toEqual(CATALOGUE.split(" ").sort());
  });

  it.each([...nodeTypes.values()])("$type describes every input, and names only inputs it has", (node) => {
    const { shape } = node.inputs;
    for (const [name, field] of Object.entries(shape)) {
      expect((field as { description?: string }).description, name).toBeTruthy();
    }
    const named = [node.deferredInputs, node.lockedInputs, node.bareExpressions, node.target?.input].flat();
    for (const name of named.filter((name) => name !== undefined)) expect(shape).toHaveProperty(name);
    if (node.type !== "start")
      for (const name of Object.keys(node.example.inputs ?? {})) expect(shape).toHaveProperty(name);
  });

  it.each([...nodeTypes.values()])("$type executes, unless the runner goes round it", (node) => {
    expect(node.execute === undefined).toBe(node.container === true);
  });

  it("calls exactly those types effects that leave the service or keep something", () => {
    const effects = [...nodeTypes.values()].filter(({ effect }) => effect).map(({ type }) => type);
    expect(effects.sort()).toEqual([
      "agent",
      "email",
      "http-request",
      "llm",
      "mcp-tool",
      "run-flow",
      "sql",
      "store",
    ]);
  });

  it("offers the documented handles", () => {
    const handlesOf = (type: string, inputs = {}) => nodeTypes.get(type)?.handles?.(inputs) ?? ["out"];
    expect(handlesOf("set")).toEqual(["out"]);
    expect(handlesOf("if")).toEqual(["true", "false"]);
    expect(handlesOf("switch", { cases: [{ name: "a" }, { name: "b" }] })).toEqual(["a", "b", "default"]);
    expect(handlesOf("switch", { cases: "{{ data.cases }}" })).toEqual(["default"]);
    expect(handlesOf("approval")).toEqual(["approved", "rejected", "timeout"]);
    expect([handlesOf("for-each"), handlesOf("while")]).toEqual([["done"], ["done"]]);
  });

  it("is what the committed node reference says; `npm run docs` brings it up to date", () => {
    const committed = readFileSync(new URL("../../../../docs/nodes.md", import.meta.url), "utf8");
    expect(committed).toBe(renderNodeReference());
  });
});
