import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Sandbox } from "../../src/engine/sandbox/sandbox.ts";
import { failureOf, runCode, warmSandbox } from "./support.ts";

const cpuMs = 400;
/** A crowded machine delays every process now and then; what is really too slow fails each time. */
const crowded = { retry: 3 };

const endless = {
  "an empty loop": "while (1) {}",
  "a loop in catch and finally": "try { while (1) {} } catch { while (1) {} } finally { while (1) {} }",
  "a recursion that catches its own overflow": "const f = () => { try { f() } catch { f() } }; f()",
  "a loop of microtasks": "const f = async () => { while (1) await null }; await f()",
  "a chain of promises": "const f = () => { Promise.resolve().then(f) }; f(); await new Promise(() => {})",
  "a getter of the result": "return { get x() { while (1) {} } }",
  "a proxy as the result": "return new Proxy({}, { ownKeys() { while (1) {} } })",
  "a message of its error": "class E extends Error { get message() { while (1) {} } }; throw new E()",
  "a backtracking regular expression": "return /^(a+)+$/.test('a'.repeat(40) + 'X')",
  "a native join": "return new Array(2 ** 26).join('abc').length",
  "a native sort": "const a = []; a.length = 2 ** 32 - 1; a.sort()",
};

const memoryBombs = {
  arrays: "const a = []; while (1) a.push([])",
  strings: "const a = []; while (1) a.push('x'.repeat(1000) + a.length)",
  objects: "const o = {}; while (1) o[Math.random()] = {}",
  "typed arrays": "const a = []; while (1) a.push(new Uint8Array(1e6))",
  "one huge buffer": "return new ArrayBuffer(2 ** 30).byteLength",
  repeat: "return 'abc'.repeat(2 ** 27).length",
  replace: "let s = 'abc'; while (1) s = s.replace(/./g, '$&$&')",
  join: "let s = 'ab'; while (1) s = [s, s].join('')",
  concatenation: "let s = 'ab'; while (1) s += s",
  "pending promises": "const f = () => Promise.resolve().then(f); await f()",
  "a filled array": "return new Array(1e8).fill(0).length",
};

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await warmSandbox();
});
afterAll(() => sandbox.close());

async function attack(source: string) {
  // Waits, if the last attack cost a child, until that child is replaced.
  await runCode(sandbox, "return 1", { organizationId: "org_bad" });
  const attacked = failureOf(runCode(sandbox, source, { organizationId: "org_bad", limits: { cpuMs } }));
  const served = await runCode(sandbox, "return input.a", { organizationId: "org_good", input: { a: 1 } });
  return { served, attacked: await attacked };
}

describe(
  "endless code ends with an error within its limit, and another organization is served meanwhile",
  crowded,
  () => {
    it.each(Object.entries(endless))("%s", async (_name, source) => {
      const { served, attacked } = await attack(source);
      expect(served).toBe(1);
      expect(attacked.name).toBe("CodeTimeout");
    });
  },
);

describe("code that takes all memory ends with an error within its limit", crowded, () => {
  it.each(Object.entries(memoryBombs))("%s", async (_name, source) => {
    const { served, attacked } = await attack(source);
    expect(served).toBe(1);
    expect(["CodeMemory", "CodeTimeout", "CodeError"]).toContain(attacked.name);
  });
});

/** Processor time of this thread alone: unlike the time that passes, it does not count the neighbours' work. */
function workedMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

function workedMs(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  return workedMsSince(before);
}

it("no attack blocks the event loop of the service for longer than a few times what writing its input takes", async () => {
  const input = { rows: Array.from({ length: 20_000 }, (_, id) => ({ id, text: "x".repeat(200) })) };
  let longestMs = 0;
  let before = process.threadCpuUsage();
  const sampler = setInterval(() => {
    longestMs = Math.max(longestMs, workedMsSince(before));
    before = process.threadCpuUsage();
  }, 1);
  await attack(endless["a native sort"]);
  await attack(memoryBombs.strings);
  await runCode(sandbox, "return input.rows.slice(0, 4000)", {
    input,
    limits: { memoryMb: 128, cpuMs: 5000 },
  });
  clearInterval(sampler);
  expect(longestMs).toBeGreaterThan(0);
  // A crowded machine makes both slow alike.
  const writingMs = Math.max(...Array.from({ length: 5 }, () => workedMs(() => JSON.stringify(input))));
  expect(longestMs / writingMs).toBeLessThan(5);
});
