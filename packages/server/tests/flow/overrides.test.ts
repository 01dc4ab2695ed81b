import { describe, expect, test } from "vitest";
import { compileFlow } from "../../src/domain/flow/compile.ts";
import { fillInputs, overrideInputs } from "../../src/domain/flow/overrides.ts";
import { catalogue, graphOf, node } from "./support.ts";

const flow = compileFlow(
  graphOf([
    node("start", "start", { greeting: "Hi", empty: "" }),
    node("my_call", "http", { url: "https://a.example", method: null }, { credential: "c" }),
    node("code", "code", { source: "return 1" }),
    node("shape", "transform", { expression: "data" }),
  ]),
  catalogue,
);

function plain(overrides: ReadonlyMap<string, ReadonlyMap<string, unknown>>) {
  return Object.fromEntries([...overrides].map(([id, values]) => [id, Object.fromEntries(values)]));
}

describe("payload.inputs", () => {
  test("replaces inputs, of nodes whose ids contain _ too", () => {
    const result = overrideInputs(flow, {
      start_greeting: "Hello",
      my_call_url: "https://b.example",
      my_call_method: "POST",
      code_input: { any: ["thing"] },
    });
    expect(result).toMatchObject({ issues: [], warnings: [] });
    expect(plain(result.overrides)).toEqual({
      start: { greeting: "Hello" },
      my_call: { url: "https://b.example", method: "POST" },
      code: { input: { any: ["thing"] } },
    });
  });

  test("is checked against the type of the input", () => {
    const { issues, overrides } = overrideInputs(flow, { my_call_url: 7, my_call_method: "YELL" });
    expect(issues.map(({ path }) => path)).toEqual([
      ["payload", "inputs", "my_call_url"],
      ["payload", "inputs", "my_call_method"],
    ]);
    expect(issues.every(({ message }) => message.length > 0)).toBe(true);
    expect(overrides.size).toBe(0);
  });

  test("cannot touch code, expressions and credentials", () => {
    const { issues, overrides } = overrideInputs(flow, {
      code_source: "return process",
      shape_expression: "1",
      my_call_credential: "other",
    });
    expect(issues.map(({ message }) => message)).toEqual([
      'The input "source" of nodes of type "code" cannot be overridden',
      'The input "expression" of nodes of type "transform" cannot be overridden',
      "Credentials cannot be overridden",
    ]);
    expect(overrides.size).toBe(0);
  });

  test("warns about keys that match nothing", () => {
    const { warnings, issues } = overrideInputs(flow, {
      my_call_body: 1,
      nope: 1,
      code_credential: 1,
      start_other: 1,
    });
    expect(issues).toEqual([]);
    expect(warnings).toHaveLength(4);
    expect(warnings[0]).toContain('"my_call_body" matches no input');
  });

  test("reaches no prototype, whatever its keys are", () => {
    const hostile = JSON.parse(
      '{"__proto__": {"x": 1}, "constructor": 1, "start___proto__": {"x": 1}, "__proto___url": 1, "start_constructor": 2}',
    ) as Record<string, unknown>;
    const { overrides, warnings } = overrideInputs(flow, hostile);
    expect(overrides.size).toBe(0);
    expect(warnings).toHaveLength(5);
    expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
  });
});

describe("the body of a webhook", () => {
  test("fills only inputs that are absent, null or empty", () => {
    const body = {
      start_greeting: "Hello",
      start_empty: "x",
      my_call_url: "https://b.example",
      my_call_method: "GET",
      other: 1,
    };
    expect(plain(fillInputs(flow, body))).toEqual({ start: { empty: "x" }, my_call: { method: "GET" } });
  });

  test("leaves out values of the wrong type and inputs that are locked", () => {
    expect(fillInputs(flow, { my_call_method: "YELL", code_source: "x" }).size).toBe(0);
  });

  test("may be anything", () => {
    for (const body of [null, "text", 7, ["my_call_method"], undefined])
      expect(fillInputs(flow, body).size).toBe(0);
  });
});

test("an input that the document does not state is filled like an empty one", () => {
  const bare = compileFlow(
    graphOf([
      { id: "start", type: "start" },
      { id: "x", type: "http" },
    ]),
    catalogue,
  );
  expect(plain(fillInputs(bare, { x_method: "POST" }))).toEqual({ x: { method: "POST" } });
});

test("null is no value: it replaces nothing", () => {
  expect(overrideInputs(flow, { start_greeting: null, my_call_url: null })).toMatchObject({
    issues: [],
    warnings: [],
  });
  expect(plain(overrideInputs(flow, { start_greeting: null }).overrides)).toEqual({});
});
