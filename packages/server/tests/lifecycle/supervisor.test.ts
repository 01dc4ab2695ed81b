import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { NODE_ARGS, nodeArgs } from "../support/node-args.ts";
import { until } from "../support/runs-until.ts";
import {
  isAlive,
  logOf,
  postmasterPid,
  prepareMillrace,
  servicePid,
  type SupervisedMillrace,
} from "./supervised-millrace.ts";

const WAIT_MS = 60_000;
let millrace: SupervisedMillrace;
beforeAll(async () => {
  millrace = await prepareMillrace();
});
afterEach(() => millrace.stopAll());
afterAll(() => millrace.remove());

const untilGone = (pids: readonly number[]) =>
  until(
    "all of it is gone",
    async () => (await Promise.all(pids.map(isAlive))).every((alive) => !alive),
    WAIT_MS,
  );

describe("millrace start", { timeout: 180_000 }, () => {
  it("starts a killed service again, on the database that is there", async () => {
    const child = await millrace.start();
    const [service, databaseStartedAt] = [await servicePid(child), await millrace.postmasterStartedAt()];
    process.kill(service, "SIGKILL");
    await until("it runs again", () => startsOf(child).length === 2, WAIT_MS);
    await child.ready();
    expect(await servicePid(child)).not.toBe(service);
    expect(await millrace.postmasterStartedAt()).toBe(databaseStartedAt);
    expect(child.output()).toContain("the service ended unexpectedly (SIGKILL); it is started again");
  });

  it("looks after a database it took over as after its own", async () => {
    const child = await millrace.start();
    process.kill(await servicePid(child), "SIGKILL");
    await until("it runs again", () => startsOf(child).length === 2, WAIT_MS);
    await child.ready();
    const taken = await postmasterPid(millrace.dataDirectory);
    process.kill(taken, "SIGKILL");
    await until(
      "there is another",
      async () => (await postmasterPid(millrace.dataDirectory).catch(() => taken)) !== taken,
      WAIT_MS,
    );
    await child.ready();
  });

  it("leaves nothing behind on SIGTERM, SIGINT and SIGHUP", async () => {
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
      const child = await millrace.start();
      const pids = [await servicePid(child), await postmasterPid(millrace.dataDirectory)];
      child.process.kill(signal);
      expect(await child.exited()).toBe(0);
      await untilGone(pids);
    }
  });

  it("leaves nothing behind where it is stopped while the service is being started again", async () => {
    const child = await millrace.start();
    const postmaster = await postmasterPid(millrace.dataDirectory);
    process.kill(await servicePid(child), "SIGKILL");
    await until("it was seen", () => child.output().includes("ended unexpectedly"));
    child.process.kill("SIGTERM");
    expect(await child.exited()).toBe(0);
    await untilGone([postmaster]);
  });

  it("takes the service and the database with it when it is killed, and the next one waits for that", async () => {
    const child = await millrace.start();
    const pids = [await servicePid(child), await postmasterPid(millrace.dataDirectory)];
    child.process.kill("SIGKILL");
    await child.exited();
    const next = await millrace.start();
    await untilGone(pids);
    // The one that was killed may have answered a little longer than its supervisor lived.
    await until("the next one runs", () => startsOf(next).length === 1);
  });

  it("takes over the database when everything else was killed", async () => {
    const child = await millrace.start();
    const [service, databaseStartedAt] = [await servicePid(child), await millrace.postmasterStartedAt()];
    process.kill(service, "SIGSTOP");
    child.process.kill("SIGKILL");
    await child.exited();
    process.kill(service, "SIGKILL");
    await untilGone([service]);
    await millrace.start();
    expect(await millrace.postmasterStartedAt()).toBe(databaseStartedAt);
  });

  it("does not try again what never ran", async () => {
    await expect(millrace.start({ MILLRACE_POOL_SIZE: "0" })).rejects.toThrow(/MILLRACE_POOL_SIZE/);
    await expect(millrace.start({ MILLRACE_SUPERVISE: "perhaps" })).rejects.toThrow(/MILLRACE_SUPERVISE/);
  });

  it("is one process where MILLRACE_SUPERVISE is off", async () => {
    const child = await millrace.start({ MILLRACE_SUPERVISE: "off" });
    expect(startsOf(child)).toEqual([expect.objectContaining({ pid: child.process.pid })]);
  });
});

describe("a service that ends again and again", () => {
  it("is given longer and longer pauses, up to half a minute", async () => {
    // Plain JavaScript, without types.
    const file = new URL("../../bin/supervisor.js", import.meta.url).href;
    const { pauseMsAfter } = (await import(file)) as { pauseMsAfter: (quickEnds: number) => number };
    expect([1, 4, 5, 6, 7, 20].map(pauseMsAfter)).toEqual([100, 100, 1_000, 2_000, 4_000, 30_000]);
  });
});

describe("how Node runs the service", () => {
  it("is for the operator to say, and for us otherwise", () => {
    expect(nodeArgs({}, ["--trace-warnings"])).toEqual([...NODE_ARGS, "--trace-warnings"]);
    expect(nodeArgs({ NODE_OPTIONS: "--max-semi-space-size=8" }, [])).toEqual([]);
  });
});

function startsOf(child: Parameters<typeof logOf>[0]) {
  return logOf(child).filter(({ msg }) => msg === "Millrace is running");
}
