import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ChildService, startChildService } from "../support/child-service.ts";
import { chain, hello } from "../support/runs-flows.ts";
import { type Gate, startGate } from "../support/runs-gate.ts";
import { type RunTestService, startRunService } from "../support/runs-service.ts";
import { until } from "../support/runs-until.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { startTestService } from "../support/service.ts";

/** The API in this process; everything that is killed is a real process of its own. */
let database: TestDatabase;
let service: RunTestService;
let gate: Gate;
const children: ChildService[] = [];
beforeEach(async () => {
  database = await createTestDatabase();
  service = await startRunService({ concurrency: 10 }, () => startTestService({}, { role: "api", database }));
  gate = await startGate();
});
afterEach(async () => {
  await Promise.all(children.splice(0).map((child) => child.end()));
  await gate.close();
  await service.stop();
  await database.drop();
});

async function start(role: "api" | "worker"): Promise<ChildService> {
  const child = await startChildService(role, database.connection);
  children.push(child);
  return child;
}

const ownerPid = async (runId: string) =>
  (
    await database.pool.query(
      `SELECT p.pid, p.id FROM runs r JOIN processes p ON p.id = r.process_id WHERE r.id = $1`,
      [runId],
    )
  ).rows[0] as { pid: number; id: string };

describe("a worker that is killed", () => {
  it("loses nothing: another one goes on from the last checkpoint within 20 seconds", async () => {
    await service.flow("flow_two", chain(gate.node("kept"), gate.node("held")));
    const victim = await start("worker");
    const ids = await Promise.all(Array.from({ length: 5 }, () => service.begin("flow_two")));
    await gate.untilArrived(5);
    gate.letGo();
    await gate.untilArrived(10);
    await start("worker");
    victim.signal("SIGKILL");
    const killedMs = performance.now();
    await gate.untilArrived(15, 20_000);
    const tookMs = performance.now() - killedMs;
    console.log(`kill -9 of a worker: its runs went on after ${(tookMs / 1000).toFixed(1)} s`);
    gate.open();
    for (const id of ids) {
      expect((await service.untilEnd(id)).status).toBe("COMPLETED");
      expect(await service.row(id)).toMatchObject({ attempt: 1, recoveries: 1 });
    }
    expect(gate.arrived.filter((path) => path === "/kept")).toHaveLength(5);
  }, 60_000);

  it("and killed again and again ends the run CRASHED, not for ever", async () => {
    await service.flow("flow_poison", chain(gate.node("poison")));
    const id = await service.begin("flow_poison");
    for (let lost = 1; lost <= 3; lost++) {
      const worker = await start("worker");
      await gate.untilArrived(lost);
      worker.signal("SIGKILL");
      await worker.exited;
    }
    await start("worker");
    const run = await service.untilEnd(id);
    expect(run).toMatchObject({ status: "CRASHED", error: { name: "WorkerLost" } });
    expect(gate.arrived).toHaveLength(3);
  }, 60_000);
});

describe("a worker that is stopped and comes back", () => {
  it("finds its run in other hands, writes nothing and lets go", async () => {
    await service.flow("flow_zombie", chain(gate.node("node")));
    const zombie = await start("worker");
    const id = await service.begin("flow_zombie");
    await gate.untilArrived(1);
    const { id: processId } = await ownerPid(id);
    zombie.signal("SIGSTOP");
    await start("worker");
    // Its lease would end by itself after 15 s.
    await database.pool.query(
      `UPDATE processes SET heartbeat_at = clock_timestamp() - interval '16 seconds' WHERE id = $1`,
      [processId],
    );
    await gate.untilArrived(2);
    const before = await service.row(id);
    expect(before).toMatchObject({ status: "EXECUTING", epoch: 3, recoveries: 1 });
    zombie.signal("SIGCONT");
    await until("the one that came back has let go", () => gate.dropped.length === 1, 3_000);
    expect(await service.row(id)).toEqual(before);
    gate.letGo();
    expect((await service.untilEnd(id)).status).toBe("COMPLETED");
    expect(await service.row(id)).toMatchObject({ finished_epoch: 3 });
    const { rows } = await database.pool.query(`SELECT epoch FROM run_nodes WHERE run_id = $1`, [id]);
    expect(rows.every(({ epoch }) => epoch === 3)).toBe(true);
  }, 60_000);
});

describe("a worker that is asked to stop", () => {
  it("ends with what it does, and no run is lost or charged", async () => {
    await service.flow("flow_hold", chain(gate.node("hold")));
    const worker = await start("worker");
    const id = await service.begin("flow_hold");
    await gate.untilArrived(1);
    worker.signal("SIGTERM");
    await sleep(100);
    gate.letGo();
    const [code] = (await worker.exited) as [number];
    expect(code).toBe(0);
    expect(await service.row(id)).toMatchObject({ status: "COMPLETED", attempt: 1, recoveries: 0 });
    expect((await database.pool.query(`SELECT FROM processes WHERE role = 'worker'`)).rowCount).toBe(0);
  }, 60_000);
});

describe("one idempotency key in several processes", () => {
  it("makes one run of 200 triggers, also when a process is killed meanwhile", async () => {
    await service.flow("flow_hello", hello);
    const apis = [await start("api"), await start("api"), await start("api")];
    await start("worker");
    const addresses = [service.address, ...apis.map(({ address }) => address)];
    const send = async (at: number): Promise<{ status: number; body: { data: { id: string } } }> => {
      const answer = await fetch(`${addresses[at % addresses.length]}/api/runs`, {
        method: "POST",
        headers: { authorization: `Bearer ${service.key}`, "content-type": "application/json" },
        body: JSON.stringify({ payload: { flowId: "flow_hello" }, idempotencyKey: "once" }),
      });
      const body = (await answer.json()) as { data: { id: string } };
      // A process that has too much to do says so; a client sends it again.
      return answer.status === 503 ? send(at) : { status: answer.status, body };
    };
    const sent = Array.from({ length: 200 }, (_, at) => {
      if (at === 100) apis[0]!.signal("SIGKILL");
      return send(at);
    });
    const answers = (await Promise.allSettled(sent)).flatMap((one) =>
      one.status === "fulfilled" ? [one.value] : [],
    );
    expect(answers.length).toBeGreaterThanOrEqual(150);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
    expect((await database.pool.query(`SELECT FROM runs`)).rowCount).toBe(1);
    expect((await service.untilEnd(answers[0]!.body.data.id)).status).toBe("COMPLETED");
  }, 60_000);
});
