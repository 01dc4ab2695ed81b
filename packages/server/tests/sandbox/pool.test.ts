import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { createSandbox } from "../../src/engine/sandbox/pool.ts";
import type { Sandbox } from "../../src/engine/sandbox/sandbox.ts";
import { childrenOf, expectWithin, failureOf, runCode, timed, warmSandbox } from "./support.ts";

/** A crowded machine delays every process now and then; what is really too slow fails each time. */
const crowded = { retry: 3 };
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
  await vi.waitFor(() => expect(childrenOf(process.pid)).toHaveLength(2));
  await sandbox.close();
  expect(childrenOf(process.pid)).toHaveLength(0);
  expect((await failureOf(runCode(sandbox, "return 1"))).message).toContain("stopping");
});

it(
  "a child killed from outside in mid-call gives a clear error, and the pool is whole again within 0.5 s",
  crowded,
  async () => {
    sandbox = await warmSandbox({ size: 1 });
    const lost = failureOf(runCode(sandbox, endless, { limits: { cpuMs: 10_000 } }));
    for (const id of childrenOf(process.pid)) process.kill(id, "SIGKILL");
    const error = await lost;
    expect(error.name).toBe("SandboxLost");
    expect(error.message).toContain("Run it again");
    const again = await timed(runCode(sandbox, "return 1"));
    expect(again.value).toBe(1);
    expectWithin(again.ms, 500);
    expect(childrenOf(process.pid)).toHaveLength(1);
  },
);

it("one organization's loops never hold every child", crowded, async () => {
  sandbox = await warmSandbox({ size: 3 });
  await vi.waitFor(() => expect(childrenOf(process.pid)).toHaveLength(3));
  const abort = new AbortController();
  const fields = { organizationId: "org_bad", limits: { cpuMs: 5000 }, signal: abort.signal };
  const pool = sandbox;
  const loops = Array.from({ length: 12 }, () => failureOf(runCode(pool, endless, fields)));
  for (let call = 0; call < 5; call += 1) {
    const served = await timed(runCode(sandbox, "return 1", { organizationId: "org_good" }));
    expectWithin(served.ms, 300);
  }
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

it("a call beyond the bound of the waiting room is refused at once", async () => {
  sandbox = await warmSandbox({ size: 2, maxWaitingPerOrganization: 2, maxWaiting: 3 });
  const abort = new AbortController();
  const pool = sandbox;
  const run = (organizationId: string) =>
    failureOf(runCode(pool, endless, { organizationId, signal: abort.signal, limits: { cpuMs: 5000 } }));
  const kept = [run("a"), run("a"), run("a"), run("b"), run("b")];
  expect((await run("a")).name).toBe("SandboxBusy");
  expect((await run("b")).name).toBe("SandboxBusy");
  abort.abort();
  for (const error of await Promise.all(kept)) expect(error.name).toBe("SandboxCanceled");
});

it("a canceled call ends at once and its child is gone", async () => {
  sandbox = await warmSandbox();
  const before = childrenOf(process.pid);
  const abort = new AbortController();
  // Twice the time the test waits: only the cancellation can end it.
  const limits = { cpuMs: 10_000 };
  const call = failureOf(runCode(sandbox, nativeEndless, { signal: abort.signal, limits }));
  await runCode(sandbox, "return 1", { organizationId: "org_b" });
  abort.abort();
  expect((await call).name).toBe("SandboxCanceled");
  const gone = () => expect(before.filter((id) => isAlive(id))).toHaveLength(1);
  await vi.waitFor(gone, { timeout: 5_000, interval: 5 });
  const aborted = AbortSignal.abort();
  expect((await failureOf(runCode(sandbox, "return 1", { signal: aborted }))).name).toBe("SandboxCanceled");
});

it("children are replaced after 200 calls without a failed or slow call", crowded, async () => {
  sandbox = await warmSandbox();
  const before = childrenOf(process.pid);
  for (let call = 0; call < 450; call += 1) {
    const { value, ms } = await timed(runCode(sandbox, "return input", { input: call }));
    expect(value).toBe(call);
    expectWithin(ms, 300);
  }
  await vi.waitFor(() => expect(childrenOf(process.pid)).toHaveLength(2), { timeout: 2000 });
  expect(childrenOf(process.pid)).not.toEqual(before);
});

it("an organization whose call cost a child that was to be replaced anyway is served again", async () => {
  sandbox = await warmSandbox({ size: 1 });
  for (let call = 0; call < 199; call += 1) await runCode(sandbox, "return 1");
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
  await vi.waitFor(() => expect(alive()).toEqual([]), { timeout: 3000, interval: 50 });
});

function isAlive(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch {
    return false;
  }
}
