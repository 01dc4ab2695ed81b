import { describe, expect, test } from "vitest";
import { validateFlow } from "../../src/domain/flow/validate.ts";
import { nodeTypes } from "../../src/engine/nodes/registry.ts";
import { graphOf, inside, node } from "./support.ts";

const references = {
  hasFlow: () => true,
  hasAgent: () => true,
  credentialType: () => "postgres" as const,
  variables: new Set<string>(),
};
const start = node("start", "start");

function validate(...middle: ReturnType<typeof node>[]) {
  const [first] = middle;
  return validateFlow(graphOf([start, ...middle], `start ${first!.id}`), nodeTypes, references);
}
function errorsOf(...middle: ReturnType<typeof node>[]) {
  return validate(...middle).errors.join("\n");
}

describe("data never becomes code: {{ }} is a fault that says how to pass values, in", () => {
  test.each([
    ["code", node("x", "code", { source: "return {{ data.x }}" }), /"source" is code.*the input "input"/],
    ["a text inside code", node("x", "code", { source: 'return "{{ data.x }}"' }), /"source" is code/],
    [
      "code with an expression never closed",
      node("x", "code", { source: 'return "{{"' }),
      /"source" is code/,
    ],
    [
      "a transform",
      node("x", "transform", { expression: "{{ data.x }}" }),
      /"expression" is code.*read data\.name/,
    ],
    [
      "a text inside a transform",
      node("x", "transform", { expression: '"a {{ data.x }}"' }),
      /"expression" is code/,
    ],
    [
      "a statement",
      node("x", "sql", { query: "SELECT * FROM t WHERE id = {{ data.id }}" }, { credential: "pg" }),
      /"query" is code.*\$1, \$2.*"parameters"/,
    ],
    [
      "a condition",
      node("x", "if", { condition: "{{ data.amount }} > 100" }),
      /"condition" mixes text and {{ }}.*{{ data\.amount > 100 }}/,
    ],
    [
      "a condition of two expressions",
      node("x", "if", { condition: "{{ data.a }}{{ data.b }}" }),
      /"condition" mixes/,
    ],
    [
      "a filter's condition",
      node("x", "filter", { items: [], condition: "item = '{{ data.x }}'" }),
      /"condition" mixes/,
    ],
  ])("%s", (_, bad, text) => {
    expect(errorsOf(bad)).toMatch(text);
    expect(errorsOf(bad)).toContain('Node "x"');
  });

  test("a while's condition", () => {
    const loop = node("x", "while", { condition: "not {{ item.done }}" });
    expect(errorsOf(loop, inside("x", node("i", "set", { values: {} })))).toMatch(/"condition" mixes/);
  });

  test("and what passes values in the right way is none", () => {
    const good = [
      node("x", "code", { source: "const {a: {b}} = input; return {r: {b}}", input: "{{ data }}" }),
      node("x", "transform", { expression: '{"a": {"b": data.x}}' }),
      node("x", "sql", { query: "SELECT $1", parameters: ["{{ data.x }}"] }, { credential: "pg" }),
      node("x", "if", { condition: " {{ data.amount > 100 }} " }, {}),
      node("x", "if", { condition: true }),
    ];
    for (const one of good) expect(errorsOf(one)).toBe("");
  });
});

describe("code is read when the flow is checked:", () => {
  test.each([
    ["const a = ;\nreturn a", "line 1: Unexpected token ';'"],
    ["const a = 1;\n\nreturn a b;", "line 3: Unexpected identifier 'b'"],
    ["return {\n  a: 1,\n", "line 4: "],
    ["import x from 'y'", "line 1: Cannot use import statement"],
    ["(".repeat(60_000), "it nests too deeply"],
  ])("%j", (source, fault) => {
    expect(errorsOf(node("x", "code", { source }))).toContain(
      `Node "x": the code in input "source" cannot be read: ${fault}`,
    );
  });

  test("what can be read is none, and is not run", () => {
    const source = "globalThis.wasRun = true; const { a } = await input; return a ?? `${a}`;";
    expect(errorsOf(node("x", "code", { source }))).toBe("");
    expect(Object.hasOwn(globalThis, "wasRun")).toBe(false);
  });
});

describe("what an approval asks for is checked with the flow:", () => {
  const asking = (inputs: object) => errorsOf(node("x", "approval", { message: "?", ...inputs }));
  const field = { type: "string" };

  test.each([
    [
      { form: { type: "object", properties: { a: { type: "text" } } } },
      'the input "form.properties.a.type" must be one of',
    ],
    [{ form: { type: "array", items: field } }, 'must have "type": "object" and properties'],
    [{ form: { type: "object" } }, 'must have "type": "object" and properties'],
    [
      { form: { type: "object", properties: { a: { type: "object" } } } },
      'the input "form.properties.a" must have one of the types string, number, integer, boolean',
    ],
    [
      { form: { type: "object", properties: { a: { ...field, title: "{{ data.a }}" } } } },
      "must not contain expressions",
    ],
    [{ notify: {} }, 'the input "notify" must be either { email } or { http-request }'],
    [{ notify: { email: {}, "http-request": {} } }, 'the input "notify" must be either'],
    [{ notify: { sms: {} } }, 'the input "notify" must be either'],
  ])("%j", (inputs, fault) => {
    expect(asking(inputs)).toContain(fault);
  });

  test("what can be asked is none", () => {
    const form = { type: "object", properties: { a: field }, required: ["a"] };
    expect(asking({ form, notify: { email: { to: "{{ data.boss }}" } }, assignees: ["ada"] })).toBe("");
  });
});

describe("a way out that does not exist is a fault:", () => {
  test("onError: branch without an edge from error", () => {
    const x = node("x", "set", { values: {} }, { onError: "branch" });
    const y = node("y", "set", { values: {} });
    const of = (edges: string) =>
      validateFlow(graphOf([start, x, y], edges), nodeTypes, references).errors.join("\n");
    expect(of("start x, x y")).toMatch(
      /Node "x": onError is branch, but no edge leaves by the handle "error"; add one/,
    );
    expect(of("start x, x:error y")).toBe("");
  });

  test("{{ }} in the name of a case, or in place of the cases", () => {
    const named = node("x", "switch", { value: 1, cases: [{ name: "{{ data.name }}", equals: 1 }] });
    expect(errorsOf(named)).toMatch(
      /Node "x": the name of the case "{{ data\.name }}" must not contain {{ }}.*"equals"/,
    );
    expect(errorsOf(node("x", "switch", { value: 1, cases: "{{ data.cases }}" }))).toMatch(
      /"cases" must not be an expression/,
    );
    expect(errorsOf(node("x", "switch", { value: 1, cases: [{ name: "a", equals: "{{ data.x }}" }] }))).toBe(
      "",
    );
  });

  test("a time limit of nothing", () => {
    for (const timeoutSeconds of [0, -1, 86_401])
      expect(errorsOf(node("x", "wait", { duration: "1s" }, { timeoutSeconds }))).toMatch(
        /timeoutSeconds must be more than 0/,
      );
  });
});

describe("a required input that is empty is a need:", () => {
  test.each([
    ["absent", {}],
    ["null", { text: null }],
    ['""', { text: "" }],
  ])("%s: validation warns, names the key, and nothing keeps the flow from running", (_, inputs) => {
    const { errors, warnings } = validate(node("note", "template", inputs));
    expect(errors).toEqual([]);
    expect(warnings.join("\n")).toMatch(/Node "note": the input "text" is required and empty;.*"note_text"/);
  });

  test("where the type would refuse an empty text too", () => {
    const { errors, warnings } = validate(node("call", "http-request", { url: "" }));
    expect(errors).toEqual([]);
    expect(warnings.join("\n")).toContain('"call_url"');
  });

  test("but not where no trigger may supply it, nor where nothing leads", () => {
    expect(errorsOf(node("x", "code", { source: "" }))).toMatch(/"source" is required; fill it in/);
    expect(errorsOf(node("x", "sql", {}, { credential: "pg" }))).toMatch(/"query" is required; fill it in/);
    const lone = validate(node("x", "set", { values: {} }), node("y", "template", {}));
    expect(lone.errors).toEqual([]);
    expect(lone.warnings.join("\n")).not.toContain("y_text");
  });
});
