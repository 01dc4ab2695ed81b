import { describe, expect, it } from "vitest";
import { fieldKind } from "../src/pages/editor/forms/field-kind.ts";
import { fromText, toText } from "../src/pages/editor/forms/value-text.ts";
import { handlesOf, nodeTypes } from "../src/pages/editor/node-types.ts";
import { answeredNodes, newTest } from "../src/pages/editor/tests/new-test.ts";
import { outlineOrder } from "../src/pages/editor/outline/outline-order.ts";
import { flowOf, node } from "./support/editor-flows.ts";

describe("the outline", () => {
  it("is in the order of execution, with what a container holds below it, whatever the order of the list", () => {
    const flow = flowOf(
      [
        node("end"),
        node("in", "set", { parentId: "each" }),
        node("each", "for-each"),
        node("start", "start"),
        node("x"),
      ],
      "start each",
      "each end done",
    );
    expect(outlineOrder(flow).map(({ node, depth }) => `${depth} ${node.id}`)).toEqual([
      "0 start",
      "0 each",
      "1 in",
      "0 end",
      "0 x",
    ]);
  });

  it("shows every node once, even where they go round in circles", () => {
    const flow = flowOf(
      [
        node("a"),
        node("b"),
        node("c", "for-each", { parentId: "d" }),
        node("d", "for-each", { parentId: "c" }),
      ],
      "a b",
      "b a",
    );
    expect(
      outlineOrder(flow)
        .map(({ node }) => node.id)
        .sort(),
    ).toEqual(["a", "b", "c", "d"]);
  });
});

describe("forms", () => {
  it("have a field for every input of every node type", () => {
    for (const { type, inputs, bareExpressions = [] } of nodeTypes)
      for (const [name, schema] of Object.entries(inputs.properties ?? {}))
        expect(
          fieldKind(type, name, schema, bareExpressions.includes(name)).kind,
          `${type}.${name}`,
        ).toBeTruthy();
    const kind = (type: string, name: string) =>
      fieldKind(type, name, nodeTypes.find((one) => one.type === type)!.inputs.properties![name]!, false);
    expect(kind("http-request", "method")).toMatchObject({ kind: "choice" });
    expect(kind("run-flow", "wait")).toEqual({ kind: "switch" });
    expect(kind("set", "values")).toEqual({ kind: "record" });
    expect(kind("switch", "cases")).toMatchObject({ kind: "list" });
    expect(kind("code", "source")).toEqual({ kind: "text", language: "javascript" });
    expect(kind("if", "condition")).toEqual({ kind: "value", language: "template" });
  });

  it("write any value so that it is read back as the same one", () => {
    for (const value of [
      "",
      "5",
      "true",
      "text",
      "{{ x }}",
      '"',
      5,
      false,
      null,
      { a: [1] },
      [],
      "null",
      "[a",
      "{ a",
    ]) {
      const text = toText(value);
      if (typeof value === "string" && /^[[{](?!\{)/.test(value)) continue;
      expect(fromText(text), text).toEqual({ ok: true, value });
    }
    expect(fromText("")).toEqual({ ok: true, value: undefined });
    expect(fromText('{"a":')).toEqual({ ok: false });
  });

  it("know the ways out of each type", () => {
    expect(handlesOf(node("a", "if"))).toEqual(["true", "false"]);
    expect(handlesOf(node("a", "return"))).toEqual([]);
    const cases = { data: { inputs: { cases: [{ name: "home", equals: 1 }] }, onError: "branch" } };
    expect(handlesOf(node("a", "switch", cases))).toEqual(["home", "default", "error"]);
  });
});

describe("a new test", () => {
  const written = {
    flowId: "flow_a",
    name: " Über 100 €! ",
    body: { amount: 101 },
    answers: { charge: { status: 200 }, mail: undefined },
    status: "COMPLETED",
    output: undefined,
  } as const;

  it("says what was written, and nothing that was not", () => {
    expect(newTest(written, [])).toEqual({
      kind: "FlowTest",
      id: "uber-100",
      flowId: "flow_a",
      name: "Über 100 €!",
      trigger: { body: { amount: 101 } },
      answers: { charge: { status: 200 } },
      expect: {},
    });
    const failing = { ...written, body: undefined, answers: {}, status: "FAILED", output: {} } as const;
    const { trigger, answers, expect: expected } = newTest(failing, []);
    expect([trigger, answers, expected]).toEqual([undefined, undefined, { status: "FAILED", output: {} }]);
  });

  it("has an id of its own, whatever its name is", () => {
    const idOf = (name: string, ...taken: string[]) => newTest({ ...written, name }, taken).id;
    expect(idOf("Large", "large", "large-2")).toBe("large-3");
    expect(idOf("大きい")).toBe("test");
    expect(idOf("x".repeat(200), "x".repeat(59))).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
  });

  it("answers for what reaches outside and for approvals, and for nothing else", () => {
    const types = ["start", "set", "http-request", "approval", "wait", "sql", "return"];
    const { graph } = flowOf(types.map((type) => node(type, type)));
    expect(answeredNodes(graph).map(({ id }) => id)).toEqual(["http-request", "approval", "sql"]);
  });
});
