import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Sandbox } from "../../src/engine/sandbox/sandbox.ts";
import { failureOf, runCode, warmSandbox } from "./support.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await warmSandbox();
});
afterAll(() => sandbox.close());

it("code is a function body over its input and returns JSON", async () => {
  const source = "const total = input.items.reduce((sum, item) => sum + item, 0);\nreturn { total };";
  expect(await runCode(sandbox, source, { input: { items: [1, 2, 3] } })).toEqual({ total: 6 });
  expect(await runCode(sandbox, "return await Promise.resolve(input)", { input: "é\u0000😀" })).toBe(
    "é\u0000😀",
  );
  expect(await runCode(sandbox, "input.a = 1")).toBeUndefined();
});

it("what is logged is kept, up to 100 lines of 1 KB, also when the code fails", async () => {
  const source =
    "console.log('a', { b: 1 }); for (let i = 0; i < 500; i++) console.log('x'.repeat(5000)); throw new Error('no')";
  const error = await failureOf(runCode(sandbox, source));
  expect(error.logs).toHaveLength(100);
  expect(error.logs[0]).toBe('a {"b":1}');
  expect(error.logs[99]).toHaveLength(1024);
});

it("an error names the line of the author's source", async () => {
  const error = await failureOf(runCode(sandbox, "const a = 1;\n\nnull.x;"));
  expect(error.name).toBe("CodeError");
  expect(error.message).toContain("line 3");
  expect((await failureOf(runCode(sandbox, "return ("))).message).toContain("SyntaxError");
});

it("what one call changes is unknown to the next", async () => {
  const pollution =
    "globalThis.left = 1; Object.prototype.left = 1; Array.prototype.map = () => 'mine'; JSON.stringify = () => '1'; return 1";
  for (let round = 0; round < 4; round += 1) {
    await runCode(sandbox, pollution);
    const look = "return [typeof left, ({}).left === undefined, [1].map((x) => x + 1)]";
    expect(await runCode(sandbox, look, { organizationId: "org_b" })).toEqual(["undefined", true, [2]]);
  }
  expect(({} as { left?: unknown }).left).toBeUndefined();
});

describe("code reaches nothing of the process around it", () => {
  it.each([
    "typeof process",
    "typeof require",
    "Function('return typeof process')()",
    "(0, eval)('typeof process')",
    "console.log.constructor('return typeof process')()",
    "(async () => {}).constructor('return typeof process')",
    "typeof globalThis.fetch",
    "typeof setTimeout",
    "typeof WebAssembly",
    "typeof std",
    "typeof os",
  ])("%s", async (expression) => {
    const value = await runCode(sandbox, `return String(await (${expression}))`);
    expect(value).not.toContain("object");
    expect(value).not.toMatch(/^function$/);
  });

  it.each(["node:fs", "fs", "std", "os", "./child-code.ts", "file:///etc/passwd"])(
    "import('%s')",
    async (name) => {
      const error = await failureOf(
        runCode(sandbox, `return Object.keys(await import(${JSON.stringify(name)}))`),
      );
      expect(error.name).toBe("CodeError");
    },
  );
});

describe("a result that cannot be carried is a clean error", () => {
  it.each([
    ["a cycle", "const a = {}; a.a = a; return a", "circular"],
    ["deep nesting", "let a = []; for (let i = 0; i < 1e4; i++) a = [a]; return a", "nested"],
    ["deeper nesting", "let a = []; for (let i = 0; i < 1e5; i++) a = [a]; return a", "call stack"],
    ["a function", "return () => 1", "function"],
    ["a symbol", "return Symbol()", "symbol"],
    ["a BigInt", "return 10n", "BigInt"],
    ["6 MB", "return 'x'.repeat(6e6)", "5 MB"],
    ["20 MB", "return 'x'.repeat(20e6)", "MB"],
    ["a getter that throws", "return { get x() { throw new Error('from getter') } }", "from getter"],
    [
      "a proxy that throws",
      "return new Proxy({}, { get() { throw new Error('from proxy') } })",
      "from proxy",
    ],
    ["a promise nobody settles", "return new Promise(() => {})", "promise"],
    ["endless recursion", "const f = () => f() + 1; return f()", "call stack"],
    ["null thrown", "throw null", "null"],
  ])("%s", async (_name, source, text) => {
    const error = await failureOf(runCode(sandbox, source, { limits: { cpuMs: 10_000 } }));
    expect(["CodeError", "CodeMemory"]).toContain(error.name);
    expect(error.message).toContain(text);
    expect(await runCode(sandbox, "return 1")).toBe(1);
  });
});

it("an input that is too large or no JSON is refused before any child sees it", async () => {
  const cyclic: Record<string, unknown> = {};
  cyclic["self"] = cyclic;
  for (const input of ["x".repeat(6 * 1024 * 1024), cyclic, { big: 10n }]) {
    const refused = await failureOf(runCode(sandbox, "return 1", { input }));
    expect(refused.name).toBe("SandboxInput");
  }
});
