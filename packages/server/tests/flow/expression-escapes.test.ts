import { expect, test } from "vitest";
import { compileTemplate, evaluateTemplate } from "../../src/domain/flow/expressions/template.ts";

const sandboxed = Symbol("left to the sandbox");
const refused = Symbol("refused");

function attempt(source: string): unknown {
  const root = {
    trigger: { body: { name: "Ada", list: [1, 2], text: "abc" }, headers: {}, query: {}, method: "POST" },
    data: JSON.parse('{"__proto__": {"own": 1}, "a": {}}') as unknown,
    nodes: {},
  };
  try {
    const result = evaluateTemplate(compileTemplate(`{{ ${source} }}`), {
      root,
      nowMs: 0,
      evaluateUnbounded: async () => sandboxed,
    });
    return result instanceof Promise ? sandboxed : result;
  } catch {
    return refused;
  }
}

test.each([
  "trigger.constructor",
  "trigger.body.constructor.constructor('return process')()",
  'trigger.body."constructor"',
  "trigger.`constructor`.`constructor`",
  "trigger.__proto__",
  "trigger.body.__proto__.polluted",
  "trigger.`__proto__`.toString",
  "trigger.body.toString",
  "trigger.body.hasOwnProperty",
  "trigger.body.__defineGetter__",
  "trigger.body.__lookupGetter__",
  "trigger.body.list.length",
  "trigger.body.list.push",
  "trigger.body.list.map",
  "trigger.body.list.constructor",
  "trigger.body.text.length",
  "trigger.body.text.constructor",
  "$lookup(trigger.body, 'constructor')",
  "$lookup(trigger.body, '__proto__')",
  "$lookup(trigger.body.list, 'length')",
  "$string.constructor",
  "$sum.implementation",
  "$keys.signature",
  "process",
  "process.env",
  "globalThis",
  "global.process.mainModule.require('fs')",
  "require('fs')",
  "this",
  "import('node:fs')",
  "eval('1')",
  "$eval('process')",
  "$process",
  "$environment",
  "$global",
  "{'constructor': 1}.constructor.constructor",
  "[1].constructor",
  "''.constructor",
  "(1).constructor",
  "function() { process }()",
  "trigger.body ~> |$|{'constructor': 1}|",
  "$merge([trigger.body, {'__proto__': {'polluted': true}}])",
])("%s reaches nothing", (source) => {
  expect([undefined, sandboxed, refused]).toContain(attempt(source));
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
});

test("a filter by text keeps the data and reaches nothing else", () => {
  expect(attempt("trigger.body['constructor']")).toEqual({ name: "Ada", list: [1, 2], text: "abc" });
});

test("a key of the data is read whatever it is called, and only as data", () => {
  expect(attempt("data.__proto__.own")).toBe(1);
  expect(attempt("{'constructor': 1}.constructor")).toBe(1);
});
