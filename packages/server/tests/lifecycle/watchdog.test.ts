import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { ChildMillrace } from "../support/child-millrace.ts";
import { chain, node } from "../support/runs-flows.ts";
import { type Gate, startGate } from "../support/runs-gate.ts";
import { until } from "../support/runs-until.ts";
import { addFlow, addKey, addOrganization, addUser } from "../support/workspace.ts";
import { logOf, prepareMillrace, servicePid, type SupervisedMillrace } from "./supervised-millrace.ts";

const NEIGHBOURS = 3;
const FOR_EVER_MS = 3_600_000;
const WAIT_MS = 90_000;

let millrace: SupervisedMillrace;
let gate: Gate;
let key: string;

beforeAll(async () => {
  millrace = await prepareMillrace();
  gate = await startGate();
  const child = await millrace.start();
  const pool = await millrace.pool();
  await addOrganization(pool, "org_stall", { concurrency: 50 });
  await addFlow(pool, "org_stall", "flow_poison", {
    graph: chain(node("before", "set", { values: {} }), node("stuck", "set", { values: {} })),
  });
  await addFlow(pool, "org_stall", "flow_neighbour", { graph: chain(gate.node("held")) });
  await addFlow(pool, "org_stall", "flow_slow", { graph: chain(node("slow", "set", { values: {} })) });
  await addUser(pool, "user_stall", { org_stall: "owner" });
  ({ key } = await addKey(pool, { userId: "user_stall", organizationId: "org_stall" }));
  await stop(child);
});
afterEach(() => millrace.stopAll());
afterAll(async () => {
  await gate.close();
  await millrace.remove();
});

const start = (env: Record<string, string>) => millrace.start({ MILLRACE_STALL_LIMIT: "2s", ...env });

/** A trigger may go without an answer: its run can stop the process before that is sent. */
async function trigger(flowId: string): Promise<void> {
  await fetch(`${millrace.url}/api/runs`, {
    method: "POST",
    headers: { "x-api-key": key, "content-type": "application/json" },
    body: JSON.stringify({ payload: { flowId } }),
  }).then(
    (answer) => answer.text(),
    () => undefined,
  );
}

async function runsOf(flowId: string): Promise<{ id: string; status: string; recoveries: number }[]> {
  const { rows } = await (
    await millrace.pool()
  ).query(`SELECT id, status, recoveries FROM runs WHERE flow_id = $1 ORDER BY id`, [flowId]);
  return rows;
}

const stallsOf = (child: ChildMillrace) => logOf(child).filter(({ level }) => level === "fatal");
const lateSettlementsOf = (child: ChildMillrace) =>
  logOf(child).filter(
    ({ msg, err }) =>
      msg === "the runs of this process could not be given back" &&
      /It took longer than|timeout/.test((err as { message: string }).message),
  );
const startsOf = (child: ChildMillrace) => logOf(child).filter(({ msg }) => msg === "Millrace is running");

async function stop(child: ChildMillrace): Promise<void> {
  child.process.kill("SIGTERM");
  expect(await child.exited()).toBe(0);
}

describe("a run that stops the event loop", { timeout: 240_000 }, () => {
  it("is named and CRASHED at its third time; the runs beside it and the database go on", async () => {
    const child = await start({ MILLRACE_TEST_STALL: `flow_poison/stuck ${FOR_EVER_MS}` });
    const databaseStartedAt = await millrace.postmasterStartedAt();
    for (let count = 0; count < NEIGHBOURS; count++) await trigger("flow_neighbour");
    await gate.untilArrived(NEIGHBOURS);
    await trigger("flow_poison");

    const [poison] = await until(
      "the run is CRASHED",
      async () => {
        const runs = await runsOf("flow_poison");
        return runs[0]?.status === "CRASHED" && runs;
      },
      WAIT_MS,
    );
    expect(poison!.recoveries).toBe(3);
    await child.ready();
    gate.open();
    await until(
      "the others have ended",
      async () => (await runsOf("flow_neighbour")).every(({ status }) => status === "COMPLETED"),
      WAIT_MS,
    );
    // Unless the machine had no time to give them back, which the log would say.
    const late = lateSettlementsOf(child).length;
    expect(late).toBeLessThan(3);
    for (const { recoveries } of await runsOf("flow_neighbour")) expect(recoveries).toBeLessThanOrEqual(late);

    const detail = await fetch(`${millrace.url}/api/runs/${poison!.id}`, { headers: { "x-api-key": key } });
    const { data } = (await detail.json()) as { data: { status: string; error: Record<string, string> } };
    expect(data.status).toBe("CRASHED");
    expect(data.error["message"]).toBe(
      "The run stopped the service for longer than 2 s in node stuck, and its worker was lost 3 times.",
    );

    expect(stallsOf(child)).toHaveLength(3);
    for (const line of stallsOf(child)) {
      expect(line).toMatchObject({
        organizationId: "org_stall",
        flowId: "flow_poison",
        runId: poison!.id,
        nodeId: "stuck",
      });
    }
    // As far as the thread that stands still can be asked in time.
    expect(
      stallsOf(child)
        .map(({ err }) => (err as { stack: string }).stack)
        .join("\n"),
    ).toContain("scope-run.ts");
    // One may have stopped before it could say that it runs.
    expect(new Set([...startsOf(child), ...stallsOf(child)].map(({ pid }) => pid)).size).toBe(4);
    expect(child.process.exitCode).toBeNull();
    expect(await millrace.postmasterStartedAt()).toBe(databaseStartedAt);
    await stop(child);
  });
});

describe("a request that stops the event loop", { timeout: 120_000 }, () => {
  it("is named by its route, and costs no run anything", async () => {
    const child = await start({ MILLRACE_TEST_STALL: `route listFlows ${FOR_EVER_MS}` });
    const before = await servicePid(child);
    const answer = await fetch(`${millrace.url}/api/flows`, { headers: { "x-api-key": key } }).catch(
      () => "none",
    );
    expect(answer).toBe("none");
    await until("it is started again", () => startsOf(child).length === 2, WAIT_MS);
    expect(stallsOf(child)).toEqual([
      expect.objectContaining({ route: "listFlows", requestId: expect.stringMatching(/^req_/), pid: before }),
    ]);
    expect(await servicePid(child)).not.toBe(before);
    await stop(child);
  });
});

describe("the watchdog", { timeout: 120_000 }, () => {
  it("leaves a process alone that is slow or has nothing to do", async () => {
    const child = await start({
      MILLRACE_STALL_LIMIT: "1500ms",
      MILLRACE_TEST_STALL: "flow_slow/slow 300",
    });
    const before = await servicePid(child);
    const count = 12;
    for (let sent = 0; sent < count; sent++) await trigger("flow_slow");
    await until(
      "all have ended",
      async () => (await runsOf("flow_slow")).filter(({ status }) => status === "COMPLETED").length === count,
      WAIT_MS,
    );
    expect(stallsOf(child)).toEqual([]);
    expect(await servicePid(child)).toBe(before);
    await stop(child);
  });

  it("does not judge a process that was stopped as a whole", async () => {
    const child = await start({ MILLRACE_STALL_LIMIT: "3s" });
    const pid = await servicePid(child);
    process.kill(pid, "SIGSTOP");
    await new Promise((resolve) => setTimeout(resolve, 4_500));
    process.kill(pid, "SIGCONT");
    await child.ready();
    expect(stallsOf(child)).toEqual([]);
    expect(await servicePid(child), child.output()).toBe(pid);
    await stop(child);
  });

  it("is off where the limit is 0", async () => {
    const child = await start({
      MILLRACE_STALL_LIMIT: "0",
      MILLRACE_TEST_STALL: `route listFlows ${FOR_EVER_MS}`,
    });
    const answer = await fetch(`${millrace.url}/api/flows`, { headers: { "x-api-key": key } });
    expect(answer.status).toBe(200);
    await stop(child);
  });
});
