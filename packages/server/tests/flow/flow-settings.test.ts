import type { FlowDocument } from "@millrace/contract/documents/flow";
import { describe, expect, it } from "vitest";
import { compileFlow } from "../../src/domain/flow/compile.ts";
import { settingsOf } from "../../src/domain/flow/flow-settings.ts";
import { triggerBody } from "../../src/domain/flow/trigger-body.ts";
import { validateFlow } from "../../src/domain/flow/validate.ts";
import { hashExecutableGraph } from "../../src/domain/flow/version-hash.ts";
import { catalogue, graphOf, node } from "./support.ts";
import { around, end, start } from "./validate-support.ts";

const references = {
  variables: new Set<string>(),
  hasFlow: (id: string) => id === "flow_b",
  hasAgent: () => false,
  credentialType: () => undefined,
};
const graph = graphOf([start, end], "s end");
const document = { kind: "Flow", id: "flow_a", organizationId: "org_a", name: "A", graph } as FlowDocument;

describe("what a flow says beside its graph", () => {
  it("is kept in one order, and only what is there", () => {
    const tool = { description: "Greets" };
    expect(settingsOf(document)).toEqual({});
    const both = settingsOf({ ...document, onFailure: "flow_b", tool, input: { type: "object" } });
    expect(Object.keys(both)).toEqual(["input", "tool", "onFailure"]);
  });

  it("is part of the version, and a version without it keeps its hash", () => {
    expect(hashExecutableGraph(graph, {})).toBe(hashExecutableGraph(graph));
    const hashes = [
      {},
      { input: { type: "object" } },
      { input: { type: "array" } },
      { onFailure: "flow_b" },
    ].map((settings) => hashExecutableGraph(graph, settings));
    expect(new Set(hashes).size).toBe(4);
    const retried = (retry: object) => hashExecutableGraph(around(node("x", "set", {}, { retry })));
    expect(retried({ maxAttempts: 2 })).not.toBe(retried({ maxAttempts: 2, on: ["any"] }));
    expect(retried({ maxAttempts: 2 })).toBe(retried({ maxAttempts: 2, on: null }));
  });

  it("is checked with it", () => {
    const errorsOf = (settings: object) => validateFlow(graph, catalogue, references, settings).errors;
    expect(errorsOf({ input: { type: "object" }, onFailure: "flow_b" })).toEqual([]);
    expect(errorsOf({ input: { type: "text" } })[0]).toMatch(/^The flow's input\.type must be one of string/);
    expect(errorsOf({ onFailure: "flow_c" })).toEqual([
      expect.stringContaining('The flow\'s onFailure names the flow "flow_c", which does not exist'),
    ]);
  });
});

describe("trigger.body, as the flow will see it,", () => {
  const flowWith = (inputs: Record<string, unknown>) =>
    compileFlow(graphOf([node("s", "start", inputs), node("end", "return")], "s end"), catalogue);

  it("is what was brought, laid over what start states", () => {
    const flow = flowWith({ body: { a: 1, b: 2 } });
    expect(triggerBody(flow, { b: 3 })).toEqual({ a: 1, b: 3 });
    expect(triggerBody(flow, undefined)).toEqual({ a: 1, b: 2 });
    expect(triggerBody(flow, [1])).toEqual([1]);
    const overrides = new Map([["s", new Map([["body", { a: 9 }]])]]);
    expect(triggerBody(flow, { b: 3 }, overrides)).toEqual({ a: 9, b: 3 });
    expect(triggerBody(flow, { b: 3 }, new Map([["s", new Map()]]))).toEqual({ a: 1, b: 3 });
  });

  it("is what was brought alone where there is no such statement, or an expression", () => {
    expect(triggerBody(flowWith({}), { b: 3 })).toEqual({ b: 3 });
    expect(triggerBody(flowWith({}), undefined)).toBeNull();
    expect(triggerBody(flowWith({ body: { a: "{{ data.a }}" } }), { b: 3 })).toEqual({ b: 3 });
    const empty = compileFlow(graphOf([], ""), catalogue);
    expect([triggerBody(empty, 1), triggerBody(empty, undefined)]).toEqual([1, null]);
  });
});
