import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { createSandbox } from "../../src/engine/sandbox/pool.ts";
import type { Sandbox } from "../../src/engine/sandbox/sandbox.ts";
import { childrenOf, evaluate, failureOf, runCode, warmSandbox } from "./support.ts";

/** Only bounds hanging. */
const patient = { timeout: 30_000, interval: 20 };
const endless = "while (1) {}";
const nativeEndless = "const a = []; a.length = 2 ** 32 - 1; a.sort()";

let sandbox: Sandbox | undefined;
afterEach(async () => {
  await sandbox?.close();
  sandbox = undefined;
});

it("no child exists before the first call, and none after close", async () => {
  sandbox = createSandbox();
  expect(childrenOf(process.pid)).toHaveLength(0);
  await runCode(sandbox, "return 1");
  await vi.waitFor(() => expect(childrenOf(process.pid)).toHaveLength(2), patient);
  await sandbox.close();
  expect(childrenOf(process.pid)).toHaveLength(0);
  expect((await failureOf(runCode(sandbox, "return 1"))).message).toContain("stopping");
});

it("a child that was started beforehand serves the first call, and stays alone until then", async () => {
  sandbox = createSandbox();
  sandbox.warm();
  sandbox.warm();
  const [first, ...others] = childrenOf(process.pid);
  expect(others).toEqual([]);
  await runCode(sandbox, "return 1");
  expect(childrenOf(process.pid)).toContain(first);
  await vi.waitFor(() => expect(childrenOf(process.pid)).toHaveLength(2), patient);
});

it("a child killed from outside in mid-call gives a clear error, and another one serves the next call", async () => {
  sandbox = await warmSandbox({ size: 1 });
  const lost = failureOf(runCode(sandbox, endless, { limits: { cpuMs: 10_000 } }));
  for (const id of childrenOf(process.pid)) process.kill(id, "SIGKILL");
  const error = await lost;
  expect(error.name).toBe("SandboxLost");
  expect(error.message).toContain("Run it again");
  expect(await runCode(sandbox, "return 1")).toBe(1);
  expect(childrenOf(process.pid)).toHaveLength(1);
});

it("one organization's loops never hold every child", async () => {
  sandbox = await warmSandbox({ size: 3 });
  const abort = new AbortController();
  // Longer than the test may take: others are served while these run, or not at all.
  const fields = { organizationId: "org_bad", limits: { cpuMs: 10_000 }, signal: abort.signal };
  const pool = sandbox;
  let ended = 0;
  const loops = Array.from({ length: 12 }, () =>
    failureOf(runCode(pool, nativeEndless, fields)).finally(() => (ended += 1)),
  );
  expect(await runCode(sandbox, "return 1", { organizationId: "org_good" })).toBe(1);
  expect(ended).toBe(0);
  abort.abort();
  for (const error of await Promise.all(loops)) expect(error.name).toBe("SandboxCanceled");
});

it("organizations that wait take turns", async () => {
  sandbox = await warmSandbox({ size: 1 });
  const served: string[] = [];
  const pool = sandbox;
  const call = async (organizationId: string) => {
    await runCode(pool, "return 1", { organizationId });
    served.push(organizationId);
  };
  await Promise.all(["a", "a", "a", "a", "b", "c"].map((id) => call(id)));
  expect(served.slice(0, 4).sort()).toEqual(["a", "a", "b", "c"]);
});

it("a crowd of calls of one organization completes, and another's comes in between", async () => {
  sandbox = await warmSandbox({ callsPerChild: 50 });
  const pool = sandbox;
  let completed = 0;
  const crowd = Array.from({ length: 400 }, async (_, at) => {
    expect(await runCode(pool, "return input", { organizationId: "org_many", input: at })).toBe(at);
    completed += 1;
  });
  expect(await runCode(pool, "return 1", { organizationId: "org_few" })).toBe(1);
  expect(completed).toBeLessThan(200);
  await Promise.all(crowd);
  expect(completed).toBe(400);
});

it("what an effect waits for goes before what only computes", async () => {
  sandbox = await warmSandbox({ size: 1 });
  const pool = sandbox;
  const served: string[] = [];
  const call = async (name: string, isUrgent: boolean) => {
    await runCode(pool, "return 1", { isUrgent });
    served.push(name);
  };
  const crowd = Array.from({ length: 50 }, (_, at) => call(`c${at}`, false));
  await Promise.all([...crowd, call("urgent", true)]);
  // One was being served when it came.
  expect(served.indexOf("urgent")).toBeLessThanOrEqual(1);
});

it("a job is charged the processor's time, not the clock's", async () => {
  sandbox = await warmSandbox({ size: 1 });
  const [child] = childrenOf(process.pid);
  const call = runCode(sandbox, "let sum = 0; for (let at = 0; at < 1e5; at += 1) sum += at; return sum");
  process.kill(child!, "SIGSTOP");
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  process.kill(child!, "SIGCONT");
  expect(await call).toBe(4_999_950_000);
  expect(childrenOf(process.pid)).toEqual([child]);
});

it("the memory of a child ends at its limit, whatever fills it, and the next call is served", async () => {
  sandbox = await warmSandbox({ size: 1 });
  const hostile = await failureOf(
    evaluate(sandbox, `$length($pad("x", 120000000))`, { limits: { cpuMs: 10_000 } }),
  );
  expect(hostile.name).toBe("ExpressionMemory");
  expect(await runCode(sandbox, "return 1")).toBe(1);
});

it.each([0, 1, 2, 3])("a call that is canceled while it begins is not begun (%i)", async (steps) => {
  sandbox = await warmSandbox({ size: 1 });
  const abort = new AbortController();
  const fields = { signal: abort.signal, limits: { cpuMs: 1_000 } };
  const call = failureOf(runCode(sandbox, nativeEndless, fields));
  for (let step = 0; step < steps; step += 1) await Promise.resolve();
  abort.abort();
  expect((await call).name).toBe("SandboxCanceled");
});

it("a canceled call ends at once and its child is gone", async () => {
  sandbox = await warmSandbox();
  const before = childrenOf(process.pid);
  const abort = new AbortController();
  const call = failureOf(
    runCode(sandbox, nativeEndless, { signal: abort.signal, limits: { cpuMs: 10_000 } }),
  );
  await runCode(sandbox, "return 1", { organizationId: "org_b" });
  // Begins later and may take half as long: only the cancellation ends the first one before.
  const calledOff = new AbortController();
  const shorter = failureOf(
    runCode(sandbox, nativeEndless, {
      organizationId: "org_b",
      signal: calledOff.signal,
      limits: { cpuMs: 5_000 },
    }),
  );
  abort.abort();
  expect((await call).name).toBe("SandboxCanceled");
  const gone = vi.waitFor(() => expect(before.filter((id) => isAlive(id))).toHaveLength(1), patient);
  const first = await Promise.race([gone.then(() => "its child"), shorter.then(() => "the shorter call")]);
  expect(first).toBe("its child");
  calledOff.abort();
  await shorter;
  const aborted = AbortSignal.abort();
  expect((await failureOf(runCode(sandbox, "return 1", { signal: aborted }))).name).toBe("SandboxCanceled");
});

it("children are replaced after enough calls without a failed one", async () => {
  sandbox = await warmSandbox({ callsPerChild: 20 });
  const before = childrenOf(process.pid);
  for (let call = 0; call < 45; call += 1) {
    expect(await runCode(sandbox, "return input", { input: call })).toBe(call);
  }
  await vi.waitFor(() => expect(childrenOf(process.pid)).toHaveLength(2), patient);
  expect(childrenOf(process.pid)).not.toEqual(before);
});

it("an organization whose call cost a child that was to be replaced anyway is served again", async () => {
  sandbox = await warmSandbox({ size: 1, callsPerChild: 20 });
  for (let call = 0; call < 19; call += 1) await runCode(sandbox, "return 1");
  // Its replacement starts now and is ready before this call is ended by force.
  const error = await failureOf(runCode(sandbox, nativeEndless, { limits: { cpuMs: 1000 } }));
  expect(error.name).toBe("CodeTimeout");
  expect(await runCode(sandbox, "return 1")).toBe(1);
});

it("children die with a service that is killed, even inside a native loop", async () => {
  const service = fork(join(import.meta.dirname, "fixtures/doomed-service.ts"), [], {
    execArgv: [],
    env: {},
  });
  await once(service, "message");
  const children = childrenOf(service.pid ?? 0);
  expect(children).toHaveLength(2);
  service.kill("SIGKILL");
  const alive = () => children.filter((id) => isAlive(id));
  await vi.waitFor(() => expect(alive()).toEqual([]), patient);
});

function isAlive(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch {
    return false;
  }
}
