import { describe, expect, it } from "vitest";
import { nodeTypes } from "../../src/engine/nodes/registry.ts";
import { errorOf, outputNow, outputOf, runNode } from "./run-node.ts";

describe("start", () => {
  it("lays the trigger over the defaults key by key", () => {
    const trigger = { body: { name: "Ada" }, headers: { a: "1" }, query: {}, method: "POST" };
    expect(outputNow("start", { body: { name: "world", lang: "en" }, region: "eu" }, { trigger })).toEqual({
      region: "eu",
      body: { name: "Ada", lang: "en" },
      headers: { a: "1" },
      query: {},
      method: "POST",
    });
  });

  it("takes a body that is no object as it is", () => {
    const trigger = { body: "plain text", headers: {}, query: {}, method: "POST" };
    expect(outputNow("start", { body: { name: "world" } }, { trigger })).toMatchObject({
      body: "plain text",
    });
  });
});

describe("set, template and return", () => {
  it("set hands on its values", () => {
    expect(outputNow("set", { values: { a: 1, b: null } })).toEqual({ a: 1, b: null });
  });

  it("template writes any value as text", () => {
    expect(outputNow("template", { text: "Hello" })).toEqual({ text: "Hello" });
    expect(outputNow("template", { text: { a: 1 } })).toEqual({ text: '{"a":1}' });
    expect(outputNow("template", { text: null })).toEqual({ text: "" });
  });

  it.each([
    [{ value: { ok: true } }, { ok: true }],
    [{ value: [1, 2] }, { value: [1, 2] }],
    [{ value: null }, {}],
    [{}, {}],
  ])("return ends the flow with an object: %j", (inputs, value) => {
    expect(runNode("return", inputs)).toEqual({ kind: "return", value });
  });
});

describe("fail", () => {
  it("ends the flow with the author's message", () => {
    const error = { name: "FlowFailed", message: "No customer 7" };
    expect(runNode("fail", { message: "No customer 7" })).toEqual({ kind: "fail", error });
  });
});

describe("transform", () => {
  it("evaluates over its input and answers at once where the expression could", () => {
    const scopes: unknown[] = [];
    const evaluate = (_name: string, scope: object) => scopes.push(scope) && 42;
    expect(outputNow("transform", { expression: "a + b", input: { a: 1 } }, { evaluate })).toEqual({
      value: 42,
    });
    expect(outputNow("transform", { expression: "data.a", input: null }, { evaluate })).toEqual({
      value: 42,
    });
    expect(scopes).toEqual([{ input: { a: 1 } }, {}]);
  });

  it("waits for an expression that could not be evaluated in place", async () => {
    expect(await outputOf("transform", { expression: "x" }, { evaluate: async () => undefined })).toEqual({
      value: null,
    });
  });
});

describe("if", () => {
  it.each([
    [true, "true"],
    [false, "false"],
    [null, "false"],
    [0, "false"],
    ["", "false"],
    ["false", "false"],
    [[], "false"],
    [{}, "false"],
    [2, "true"],
    ["no", "true"],
    [[0], "true"],
  ])("takes %j as %s", (condition, handle) => {
    expect(runNode("if", { condition })).toEqual({
      kind: "output",
      output: { result: handle === "true" },
      handle,
    });
  });

  it("does not accept a missing condition", () => {
    expect(() => runNode("if", {})).toThrow(/Required/);
  });
});

describe("switch", () => {
  const cases = [
    { name: "one", equals: 1 },
    { name: "list", equals: [1, { a: null }] },
  ];

  it("leaves by the first case that is equal, else by default", () => {
    expect(runNode("switch", { value: 1, cases })).toMatchObject({ handle: "one" });
    expect(runNode("switch", { value: [1, { a: null }], cases })).toMatchObject({ handle: "list" });
    expect(runNode("switch", { value: "1", cases })).toMatchObject({
      handle: "default",
      output: { case: "default" },
    });
  });

  it.each([
    [[...cases, { name: "one", equals: 2 }], /differ/],
    [[{ name: "default", equals: 2 }], /taken/],
    [[], /small/],
  ])("refuses cases that name no clear way", (wrong, text) => {
    expect(() => runNode("switch", { value: 1, cases: wrong })).toThrow(text);
  });
});

describe("filter", () => {
  const items = [5, 500, 50];

  it("keeps what meets the condition, without a Promise where there is none", () => {
    const evaluate = (_name: string, { item, index }: { item?: unknown; index?: number }) =>
      (item as number) > 10 && index !== undefined;
    expect(outputNow("filter", { items, condition: "{{ item > 10 }}" }, { evaluate })).toEqual({
      items: [500, 50],
    });
  });

  it("evaluates one item at a time where the condition needs the sandbox, and stops when aborted", async () => {
    let underWay = 0;
    const evaluate = async (_name: string, { item }: { item?: unknown }) => {
      underWay += 1;
      expect(underWay).toBe(1);
      await Promise.resolve();
      underWay -= 1;
      return (item as number) > 10;
    };
    expect(await outputOf("filter", { items, condition: "x" }, { evaluate })).toEqual({ items: [500, 50] });
    const signal = AbortSignal.abort(new Error("canceled"));
    expect((await errorOf("filter", { items, condition: "x" }, { evaluate, signal })).message).toBe(
      "canceled",
    );
  });
});

describe("list", () => {
  const items = [{ n: 2 }, { n: 10 }, {}, { n: 1, deep: { a: "x" } }];

  it("sorts by a path, missing values last in both directions", () => {
    expect(outputNow("list", { items, operation: "sort", by: "n" })).toEqual({
      items: [{ n: 1, deep: { a: "x" } }, { n: 2 }, { n: 10 }, {}],
    });
    expect(outputNow("list", { items: ["b", null, "a"], operation: "sort", order: "desc" })).toEqual({
      items: ["b", "a", null],
    });
  });

  it("limits, flattens and removes duplicates whatever the order of keys", () => {
    expect(outputNow("list", { items: [1, 2, 3], operation: "limit", count: 2 })).toEqual({ items: [1, 2] });
    expect(outputNow("list", { items: [[1], [2, [3]]], operation: "flatten" })).toEqual({
      items: [1, 2, [3]],
    });
    const pairs = [{ a: 1, b: 2 }, { b: 2, a: 1 }, { a: 2 }];
    expect(outputNow("list", { items: pairs, operation: "unique" })).toEqual({
      items: [{ a: 1, b: 2 }, { a: 2 }],
    });
  });

  it("groups by the text of a value, even one named like a prototype", () => {
    const named = [{ k: "__proto__" }, { k: 1 }, {}, { k: 1, z: 1 }];
    const { groups } = outputNow("list", { items: named, operation: "group", by: "k" }) as { groups: object };
    expect(Object.entries(groups)).toEqual([
      ["1", [{ k: 1 }, { k: 1, z: 1 }]],
      ["__proto__", [{ k: "__proto__" }]],
      ["null", [{}]],
    ]);
    expect(Object.getPrototypeOf(groups)).toBe(Object.prototype);
  });

  it("reads own keys only", () => {
    expect(outputNow("list", { items: [{}, { a: 1 }], operation: "unique", by: "constructor.name" })).toEqual(
      {
        items: [{}],
      },
    );
  });
});

describe("merge", () => {
  it.each([
    ["combine", [{ a: 1, b: 1 }, null, { b: 2 }], { a: 1, b: 2 }],
    ["append", [[1], 2, [3]], [1, 2, 3]],
    [
      "zip",
      [[1, 2], ["a"]],
      [
        [1, "a"],
        [2, null],
      ],
    ],
    ["byKey", [[{ id: 1, a: 1 }, { id: 2 }], [{ id: 1, b: 2 }]], [{ id: 1, a: 1, b: 2 }, { id: 2 }]],
  ])("%s joins its sources", (mode, sources, value) => {
    expect(outputNow("merge", { mode, sources })).toEqual({ value });
  });

  it("is a mere meeting point without sources", () => {
    expect(outputNow("merge", {})).toEqual({ value: {} });
  });

  it.each([
    ["combine", [{}, [1]], "Source 2 is not an object."],
    ["byKey", [[{ id: 1 }, { name: "x" }]], "Source 1 has an item without `id`."],
  ])("%s says which source does not fit", async (mode, sources, message) => {
    expect((await errorOf("merge", { mode, sources })).message).toBe(message);
  });

  it("cannot be made to change a prototype", () => {
    const hostile = JSON.parse('{"__proto__":{"polluted":true}}') as object;
    outputNow("merge", { sources: [hostile, {}] });
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

describe("a list where a list is wanted", () => {
  const one = { id: 1 };

  it.each([
    ["list", { operation: "sort", items: one }, { items: [one] }],
    ["list", { operation: "sort", items: null }, { items: [] }],
    ["merge", { mode: "append", sources: one }, { value: [one] }],
    ["merge", { mode: "append", sources: null }, { value: [] }],
    [
      "merge",
      { mode: "zip", sources: [1, ["a", "b"]] },
      {
        value: [
          [1, "a"],
          [null, "b"],
        ],
      },
    ],
    ["merge", { mode: "byKey", sources: [one, [{ id: 1, a: 2 }]] }, { value: [{ id: 1, a: 2 }] }],
  ])("%s %j", (type, inputs, output) => {
    const read = nodeTypes.get(type)!.inputs.parse(inputs);
    expect(outputNow(type, read)).toEqual(output);
  });

  it.each([
    ["filter", { condition: true }],
    ["for-each", {}],
  ])("%s", (type, others) => {
    const read = (items: unknown) => nodeTypes.get(type)!.inputs.parse({ ...others, items })["items"];
    expect([read(7), read(null), read([7])]).toEqual([[7], [], [7]]);
    expect(nodeTypes.get(type)!.inputs.safeParse(others).success).toBe(false);
  });
});
