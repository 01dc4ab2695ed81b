import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ChildService, startChildService } from "../support/child-service.ts";
import { fillLoadWorkspace, type LoadWorkspace } from "../support/load-workspace.ts";
import { expectEachRunEndedOnce, untilAllEnded } from "../support/run-invariants.ts";
import { startTriggerLoad } from "../support/trigger-load.ts";
import { until } from "../support/runs-until.ts";
import { type OwnPostgres, startOwnPostgres } from "./own-postgres.ts";

let postgres: OwnPostgres;
let workspace: LoadWorkspace;
let api: ChildService;
let worker: ChildService;
beforeAll(async () => {
  postgres = await startOwnPostgres();
  workspace = await fillLoadWorkspace(postgres.pool);
  [api, worker] = await Promise.all([
    startChildService("api", postgres.connection),
    startChildService("worker", postgres.connection),
  ]);
}, 120_000);
afterAll(async () => {
  await Promise.all([api.end(), worker.end()]);
  await workspace.close();
  await postgres.stop();
}, 120_000);

const load = (clients: number) =>
  startTriggerLoad({
    addresses: [api.address],
    key: workspace.key,
    flowIds: ["flow_hello", "flow_held"],
    clients,
    pauseMs: 20,
  });

describe("a database that takes no writes", () => {
  it("makes triggers 503 and never 201, loses no end of a run, and needs no restart afterwards", async () => {
    const clients = load(4);
    await workspace.gate.untilArrived(5);
    await postgres.set("default_transaction_read_only", "on");
    await until("clients are refused", () => clients.log.refused > 0);
    const before = clients.log.acknowledged.length;
    // Ends that come while nothing can be written wait for better times.
    workspace.gate.open();
    const refusedUntil = clients.log.refused + 8;
    await until("clients are refused again and again", () => clients.log.refused >= refusedUntil, 30_000);
    // What was under way when the setting changed may still have been committed before it.
    expect(clients.log.acknowledged.length - before).toBeLessThanOrEqual(4);
    await postgres.set("default_transaction_read_only", undefined);
    await until("runs are accepted again", () => clients.log.acknowledged.length >= before + 20);
    const log = await clients.stop();
    await untilAllEnded(postgres.pool, 30_000);
    expect([log.unexpected, log.unknown]).toEqual([[], 0]);
    await expectEachRunEndedOnce(postgres.pool, log);
  }, 120_000);
});

describe("a table that somebody else has locked", () => {
  it("fills the pool with waiting statements, which give up in time; nothing is stuck afterwards", async () => {
    const clients = load(30);
    await workspace.gate.untilArrived(5);
    const locker = await postgres.pool.connect();
    await locker.query(`BEGIN`);
    await locker.query(`LOCK TABLE runs IN ACCESS EXCLUSIVE MODE`);
    const probe = await fetch(`${api.address}/api/runs`, {
      method: "POST",
      headers: { authorization: `Bearer ${workspace.key}`, "content-type": "application/json" },
      body: JSON.stringify({ payload: { flowId: "flow_hello" } }),
    });
    expect([probe.status, probe.headers.get("retry-after")]).toEqual([503, "1"]);
    await until("all clients are refused", () => clients.log.refused >= 30, 20_000);
    await locker.query(`ROLLBACK`);
    locker.release();
    const before = clients.log.acknowledged.length;
    await until("runs are accepted again", () => clients.log.acknowledged.length >= before + 60, 20_000);
    workspace.gate.open();
    const log = await clients.stop();
    await untilAllEnded(postgres.pool, 30_000);
    expect([log.unexpected, log.unknown]).toEqual([[], 0]);
    await expectEachRunEndedOnce(postgres.pool, log);
  }, 120_000);
});
