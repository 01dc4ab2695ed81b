import { processesAnswer } from "@millrace/contract/manage/service";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ChildService, startChildService } from "../support/child-service.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { readEvents } from "../support/event-reader.ts";
import { fillLoadWorkspace, type LoadWorkspace } from "../support/load-workspace.ts";
import { expectEachRunEndedOnce, untilAllEnded } from "../support/run-invariants.ts";
import { until } from "../support/runs-until.ts";
import { startTriggerLoad } from "../support/trigger-load.ts";
import { startBalancer } from "./balancer.ts";

let database: TestDatabase;
let workspace: LoadWorkspace;
let apis: ChildService[];
let workers: ChildService[];
beforeEach(async () => {
  database = await createTestDatabase();
  workspace = await fillLoadWorkspace(database.pool);
  const env = { MILLRACE_WORKER_CONCURRENCY: "20" };
  const start = (role: "api" | "worker") => startChildService(role, database.connection, env);
  [apis, workers] = await Promise.all([
    Promise.all([start("api"), start("api")]),
    Promise.all([start("worker"), start("worker")]),
  ]);
}, 60_000);
afterEach(async () => {
  await Promise.all([...apis, ...workers].map((child) => child.end()));
  await workspace.close();
  await database.drop();
}, 60_000);

async function trigger(api: ChildService, flowId: string): Promise<string> {
  const answer = await fetch(`${api.address}/api/runs`, {
    method: "POST",
    headers: { authorization: `Bearer ${workspace.key}`, "content-type": "application/json" },
    body: JSON.stringify({ payload: { flowId } }),
  });
  expect(answer.status).toBe(201);
  return ((await answer.json()) as { data: { id: string } }).data.id;
}

/** Role and process id of those that are listed and alive. */
async function listProcesses(api: ChildService): Promise<string[]> {
  const answer = await fetch(`${api.address}/manage/processes`, {
    headers: { authorization: `Bearer ${workspace.key}` },
  });
  const { data } = processesAnswer.parse(await answer.json()).data;
  return data.filter(({ alive }) => alive).map(({ role, pid }) => `${role} ${pid}`);
}

describe("two API processes and two workers", () => {
  it("share the work, and a stream of one API shows what was triggered at the other", async () => {
    const ids = await Promise.all(Array.from({ length: 30 }, (_, at) => trigger(apis[at % 2]!, "flow_held")));
    const events = await readEvents(`${apis[1]!.address}/api/runs/${ids[0]}/stream`, workspace.key);
    const rows = await until("all execute", async () => {
      const owners = await database.pool.query<{ pid: number; count: number }>(
        `SELECT p.pid, count(*) AS count FROM runs r JOIN processes p ON p.id = r.process_id GROUP BY p.pid`,
      );
      return owners.rows.reduce((sum, { count }) => sum + count, 0) === 30 && owners.rows;
    });
    expect(new Set(rows.map(({ pid }) => pid))).toEqual(new Set(workers.map(({ pid }) => pid)));
    // One of them alone has room for 20.
    for (const { count } of rows) expect(count).toBeGreaterThanOrEqual(10);
    workspace.gate.open();
    const told = await events.rest();
    expect(told.at(-1)).toMatchObject({ type: "completed" });
    await untilAllEnded(database.pool, 20_000);
  }, 60_000);

  it("are listed, with their roles, until they stop", async () => {
    const named = [...apis.map(({ pid }) => `api ${pid}`), ...workers.map(({ pid }) => `worker ${pid}`)];
    await until("all are listed", async () => (await listProcesses(apis[1]!)).length === 4);
    expect((await listProcesses(apis[1]!)).toSorted()).toEqual(named.toSorted());
    apis[0]!.signal("SIGTERM");
    await apis[0]!.exited;
    expect((await listProcesses(apis[1]!)).toSorted()).toEqual(named.slice(1).toSorted());
    // A process that only answers requests is nobody who could execute a run.
    for (const worker of workers) worker.signal("SIGTERM");
    await Promise.all(workers.map(({ exited }) => exited));
    const run = await trigger(apis[1]!, "flow_hello");
    const why = await fetch(`${apis[1]!.address}/api/runs/${run}/why`, {
      headers: { authorization: `Bearer ${workspace.key}` },
    });
    expect(await why.json()).toMatchObject({ data: { cause: "no_worker" } });
  }, 60_000);

  it("can be stopped one after the other without a failed request or a lost attempt", async () => {
    const balancer = await startBalancer(apis.map(({ address }) => address));
    const load = startTriggerLoad({
      addresses: [balancer.url],
      key: workspace.key,
      flowIds: ["flow_hello", "flow_effect"],
      clients: 6,
      pauseMs: 40,
    });
    const { acknowledged } = load.log;
    await until("the load is under way", () => acknowledged.length >= 100, 20_000);
    for (const stopped of [workers[0]!, apis[0]!]) {
      stopped.signal("SIGTERM");
      const [code] = (await stopped.exited) as [number];
      expect(code).toBe(0);
      const before = acknowledged.length;
      await until("the other one goes on", () => acknowledged.length >= before + 100, 20_000);
    }
    const log = await load.stop();
    await balancer.close();
    await untilAllEnded(database.pool, 20_000);
    expect([log.unexpected, log.refused, log.unknown]).toEqual([[], 0, 0]);
    await expectEachRunEndedOnce(database.pool, log);
    const { rows } = await database.pool.query(
      `SELECT count(*) AS count FROM runs WHERE attempt > 1 OR recoveries > 0`,
    );
    expect(rows[0].count).toBe(0);
  }, 90_000);
});
