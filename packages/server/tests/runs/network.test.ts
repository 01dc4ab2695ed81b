import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Pool } from "pg";
import { createPool } from "../../src/storage/pool.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { chain, hello, node } from "../support/runs-flows.ts";
import { type Gate, startGate } from "../support/runs-gate.ts";
import { type RunTestService, startRunService } from "../support/runs-service.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { startTcpProxy, type TcpProxy } from "../support/tcp-proxy.ts";
import { until } from "../support/runs-until.ts";

/** A service whose every connection to the database goes through a network that can be broken. */
let database: TestDatabase;
let proxy: TcpProxy;
let proxied: Pool;
let gate: Gate;
const services: TestService[] = [];
beforeEach(async () => {
  database = await createTestDatabase();
  proxy = await startTcpProxy(database.connection);
  proxied = createPool({
    connection: proxy.connection,
    size: 5,
    applicationName: "proxied",
    answerTimeoutMs: 2_500,
  });
  gate = await startGate();
});
afterEach(async () => {
  proxy.plugIn();
  for (const service of services.splice(0).toReversed()) await service.stop();
  await gate.close();
  await proxied.end();
  await proxy.close();
  await database.drop();
});

async function behindProxy(role: "all" | "worker" = "all"): Promise<TestService> {
  const through = { ...database, pool: proxied, connection: proxy.connection };
  const service = await startTestService({}, { role, database: through });
  services.push(service);
  return service;
}

async function direct(role: "all" | "api"): Promise<RunTestService> {
  const service = await startRunService({ concurrency: 10, credits: 1_000 }, () =>
    startTestService({}, { role, database }),
  );
  services.push(service);
  return service;
}

const ledgerOf = async (runId: string) =>
  (
    await database.pool.query(`SELECT kind FROM credit_entries WHERE run_id = $1 ORDER BY kind`, [runId])
  ).rows.map(({ kind }) => kind);

describe("a connection that is lost between commit and answer", () => {
  let service: RunTestService;
  beforeEach(async () => {
    service = await startRunService({ concurrency: 10, credits: 1_000 }, () => behindProxy());
    await service.flow("flow_hello", hello);
    await service.flow("flow_wait", chain(node("pause", "wait", { duration: "1h" })));
    await service.flow("flow_fetch", chain(gate.node("fetch"), gate.node("next")));
    // The first of each statement is prepared; later ones are called by name.
    await service.untilEnd(await service.begin("flow_hello"));
  });

  it("gives a trigger one answer and one run", async () => {
    const lost = proxy.loseAnswerTo("admit-runs");
    const answer = await service.trigger("flow_hello", { idempotencyKey: "once" });
    await lost;
    expect(answer.status).toBe(201);
    const { rows } = await database.pool.query(`SELECT id FROM runs ORDER BY id`);
    expect(rows).toHaveLength(2);
    expect(rows[1].id).toBe(answer.body.data.id);
    const again = await service.trigger("flow_hello", { idempotencyKey: "once" });
    expect(again.body.data.id).toBe(answer.body.data.id);
    // Born claimed by a process that never heard of it: it is given back and taken again.
    expect((await service.untilEnd(answer.body.data.id)).status).toBe("COMPLETED");
    expect(await ledgerOf(answer.body.data.id)).toEqual(["reserve", "settle"]);
  }, 30_000);

  it("ends a run once", async () => {
    const lost = proxy.loseAnswerTo("finish-runs");
    const id = await service.begin("flow_hello");
    await lost;
    expect((await service.untilEnd(id)).status).toBe("COMPLETED");
    expect(await ledgerOf(id)).toEqual(["reserve", "settle"]);
    expect(await service.row(id)).toMatchObject({ epoch: 1, finished_epoch: 1, recoveries: 0 });
  });

  it("keeps a checkpoint once, and the run goes on", async () => {
    const id = await service.begin("flow_fetch");
    await gate.untilArrived(1);
    const lost = proxy.loseAnswerTo("checkpoint-new");
    gate.letGo();
    await lost;
    await gate.untilArrived(2);
    gate.letGo();
    expect((await service.untilEnd(id)).status).toBe("COMPLETED");
    expect(gate.arrived).toEqual(["/fetch", "/next"]);
  });

  it.each(["begin-waits", "pause-run"])("pauses a run once: %s", async (statement) => {
    const lost = proxy.loseAnswerTo(statement);
    const id = await service.begin("flow_wait");
    await lost;
    await service.untilStatus(id, "PAUSED");
    await database.pool.query(`UPDATE run_waits SET due_at = clock_timestamp() WHERE run_id = $1`, [id]);
    expect((await service.untilEnd(id)).status).toBe("COMPLETED");
    expect(await ledgerOf(id)).toEqual(["reserve", "settle"]);
  });

  it("leaves a cancel that was carried out carried out, and says so the second time", async () => {
    const id = await service.begin("flow_hello", { delay: "1h" });
    const cancel = () => service.send("POST", `/api/runs/${id}/cancel`, { key: service.key });
    const lost = proxy.loseAnswerTo("'CANCELED'");
    const answer = await cancel();
    await lost;
    expect([200, 503]).toContain(answer.status);
    expect((await service.row(id))["status"]).toBe("CANCELED");
    const again = await cancel();
    expect([again.status, again.body.messageParams?.status]).toEqual([400, "CANCELED"]);
    expect(await ledgerOf(id)).toEqual(["reserve", "settle"]);
  });
});

describe("a network that fails", () => {
  it("costs about a second when every wake-up is lost for good", async () => {
    const api = await direct("api");
    await behindProxy("worker");
    await api.flow("flow_hello", hello);
    await api.untilEnd(await api.begin("flow_hello"));
    proxy.swallowWakeUps();
    const times: number[] = [];
    for (let at = 0; at < 3; at++) {
      const startedMs = performance.now();
      const id = await api.begin("flow_hello");
      await api.untilEnd(id);
      times.push(performance.now() - startedMs);
    }
    console.log(`without wake-ups a run was through after ${times.map((ms) => ms.toFixed(0)).join(", ")} ms`);
  }, 60_000);

  it("stops a worker that is cut off before another one takes its runs over, within 20 seconds", async () => {
    const api = await direct("api");
    await api.flow("flow_held", chain(gate.node("held")));
    await behindProxy("worker");
    const id = await api.begin("flow_held");
    await gate.untilArrived(1);
    proxy.pullCable();
    const pulledMs = performance.now();
    const successor = await startTestService({}, { role: "worker", database });
    services.push(successor);
    const sincePulled = () => performance.now() - pulledMs;
    const [droppedMs, tookMs] = await Promise.all([
      until("it has stopped itself", () => gate.dropped.length === 1, 20_000).then(sincePulled),
      gate.untilArrived(2, 25_000).then(sincePulled),
    ]);
    console.log(
      `cut off: stopped itself after ${droppedMs.toFixed(0)} ms, taken over after ${tookMs.toFixed(0)} ms`,
    );
    expect(droppedMs).toBeLessThan(tookMs);
    proxy.plugIn();
    gate.letGo();
    expect((await api.untilEnd(id)).status).toBe("COMPLETED");
  }, 90_000);

  it("keeps a worker that is cut off from beginning an effect: the run may have been canceled", async () => {
    const api = await direct("api");
    await api.flow("flow_later", chain(node("nap", "wait", { duration: "4s" }), gate.node("later")));
    await behindProxy("worker");
    const [canceled, kept] = [await api.begin("flow_later"), await api.begin("flow_later")];
    await until("both wait", async () => {
      const { rowCount } = await database.pool.query(`SELECT FROM run_waits`);
      return rowCount === 2;
    });
    proxy.pullCable();
    const pulledMs = performance.now();
    await api.send("POST", `/api/runs/${canceled}/cancel`, { key: api.key });
    // The wait ends in the worker's own memory; what comes behind it needs nothing from the database.
    await until("the wait is over for long", () => performance.now() - pulledMs > 6_000);
    expect(gate.arrived).toEqual([]);
    proxy.plugIn();
    gate.open();
    expect((await api.untilEnd(kept)).status).toBe("COMPLETED");
    expect(gate.arrived).toEqual(["/later"]);
    expect((await api.row(canceled))["status"]).toBe("CANCELED");
  }, 90_000);
});
