import { afterAll, beforeAll, expect, it } from "vitest";
import { withPrefix } from "../../src/domain/ids.ts";
import { startStormReceiver, type StormReceiver } from "../fork/storm.ts";
import { chain, node } from "../support/runs-flows.ts";
import { type RunTestService, startRunService } from "../support/runs-service.ts";
import { createTerminal, type Terminal } from "./terminal.ts";

let service: RunTestService;
let terminal: Terminal;
let receiver: StormReceiver;
let env: Record<string, string>;

beforeAll(async () => {
  receiver = await startStormReceiver();
  service = await startRunService();
  terminal = await createTerminal();
  env = { MILLRACE_URL: service.address, MILLRACE_API_KEY: service.key };
  const call = (id: string) => node(id, "http-request", { url: `${receiver.url}/cli/${id}`, expect: "2xx" });
  await service.flow("flow_cli", chain(call("charge"), call("mail")));
});
afterAll(async () => {
  await terminal.close();
  await service.stop();
  await receiver.close();
});

it("retries a failed run, forks one from a node, and compares the two", async () => {
  receiver.failOnce("cli", "mail");
  const failed = await service.begin("flow_cli");
  expect((await service.untilEnd(failed)).status).toBe("FAILED");
  const retried = await terminal.run(`runs retry ${withPrefix(failed, "rh")} --wait`, env);
  expect(retried).toMatchObject({ code: 0 });
  expect(retried.stdout).toMatch(/^run_\w+ WAITING, goes on from mail\n/);
  expect(retried.stdout).toContain("COMPLETED");
  expect(receiver.take("cli")).toEqual(["charge", "mail"]);
  const id = /^run_\w+/.exec(retried.stdout)![0];

  const { stdout } = await terminal.run(`runs get ${failed}`, env);
  expect(stdout).toContain(`forked from mail as ${id}`);
  expect((await terminal.run(`runs get ${id}`, env)).stdout).toContain(`goes on from mail of ${failed}`);

  const fork = await terminal.json(
    `runs fork ${id} --from mail --outputs {"charge":{"mine":true}} --tag x`,
    env,
  );
  await service.untilEnd(fork.id);
  expect(receiver.take("cli")).toEqual(["mail"]);
  expect(await terminal.json(`runs get ${fork.id}`, env)).toMatchObject({ tags: ["x"] });

  const diff = await terminal.run(`runs diff ${failed} ${id}`, env);
  expect(diff.stdout).toMatch(/≠ mail {2}a: FAILED .* b: COMPLETED → out/);
  expect(diff.stdout).toContain("They differ first in mail.");
  expect((await terminal.run(`runs diff ${id} ${fork.id} --all`, env)).stdout).toContain(
    "They differ first in charge.",
  );
  expect(await terminal.json(`runs diff ${id} ${id}`, env)).toMatchObject({ firstDivergence: null });
});

it("says why a run cannot be retried", async () => {
  const id = await service.begin("flow_cli");
  await service.untilEnd(id);
  const { code, stderr } = await terminal.run(`runs retry ${id}`, env);
  expect([code, stderr]).toEqual([1, expect.stringContaining("the run has completed")]);
});
