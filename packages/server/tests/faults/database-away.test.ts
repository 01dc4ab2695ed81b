import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ChildService, startChildService } from "../support/child-service.ts";
import { readEvents } from "../support/event-reader.ts";
import { fillLoadWorkspace, type LoadWorkspace } from "../support/load-workspace.ts";
import { expectEachRunEndedOnce, untilAllEnded } from "../support/run-invariants.ts";
import { until } from "../support/runs-until.ts";
import { startTriggerLoad } from "../support/trigger-load.ts";
import { type OwnPostgres, startOwnPostgres } from "./own-postgres.ts";

let postgres: OwnPostgres;
let workspace: LoadWorkspace;
let api: ChildService;
let worker: ChildService;
const exits: string[] = [];
beforeAll(async () => {
  postgres = await startOwnPostgres();
  workspace = await fillLoadWorkspace(postgres.pool);
  [api, worker] = await Promise.all([
    startChildService("api", postgres.connection),
    startChildService("worker", postgres.connection),
  ]);
  void api.exited.then(() => exits.push("api"));
  void worker.exited.then(() => exits.push("worker"));
}, 120_000);
afterAll(async () => {
  postgres.thaw();
  await Promise.all([api.end(), worker.end()]);
  await workspace.close();
  await postgres.stop();
}, 120_000);

const headers = () => ({ authorization: `Bearer ${workspace.key}`, "content-type": "application/json" });

async function trigger(flowId: string): Promise<Response> {
  return fetch(`${api.address}/api/runs`, {
    method: "POST",
    headers: headers(),
    body: JSON.stringify({ payload: { flowId } }),
  });
}

describe("PostgreSQL that stands still for 12 seconds", () => {
  it("makes the API answer 503, keeps streams open and stops the worker's runs; then all goes on", async () => {
    const runId = await until("a run begins", async () => {
      const answer = await trigger("flow_held");
      return answer.ok && ((await answer.json()) as { data: { id: string } }).data.id;
    });
    await workspace.gate.untilArrived(1);
    const events = await readEvents(`${api.address}/api/runs/${runId}/stream`, workspace.key);
    await events.until("EXECUTING");

    await postgres.freeze();
    const frozenMs = performance.now();
    for (const flowId of ["flow_hello", "flow_hello", "flow_hello"]) {
      const refused = await trigger(flowId);
      expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
    }
    expect((await fetch(`${api.address}/healthz`)).status).toBe(200);
    expect((await fetch(`${worker.address}/readyz`)).status).toBe(503);
    await until("the worker has stopped its run", () => workspace.gate.dropped.length === 1, 15_000);
    await sleep(Math.max(0, frozenMs + 12_000 - performance.now()));
    postgres.thaw();
    const thawedMs = performance.now();

    await workspace.gate.untilArrived(2, 20_000);
    console.log(
      `the stopped run went on ${((performance.now() - thawedMs) / 1000).toFixed(1)} s after PostgreSQL did`,
    );
    workspace.gate.open();
    const rest = await events.rest();
    expect(rest.at(-1)).toMatchObject({ type: "completed" });
    const { rows } = await postgres.pool.query(
      `SELECT extract(epoch FROM clock_timestamp() - completed_at)::float AS seconds FROM runs WHERE id = $1`,
      [runId],
    );
    expect(rows[0].seconds).toBeLessThan(30);
    expect((await trigger("flow_hello")).status).toBeLessThanOrEqual(202);
    await untilAllEnded(postgres.pool, 20_000);
    expect(exits).toEqual([]);
  }, 120_000);
});

describe("PostgreSQL that is restarted at once under load", () => {
  it("ends no process, loses nothing, and work goes on within 10 seconds", async () => {
    const load = startTriggerLoad({
      addresses: [api.address],
      key: workspace.key,
      flowIds: ["flow_hello", "flow_effect"],
      clients: 8,
      pauseMs: 40,
    });
    const { acknowledged } = load.log;
    await until("the load is under way", () => acknowledged.length >= 200, 20_000);
    await postgres.restartImmediately();
    const backMs = performance.now();
    const again = await until(
      "a run is accepted again",
      () => acknowledged.find(({ atMs }) => atMs > backMs),
      20_000,
    );
    await until("the load goes on", () => acknowledged.length >= 400, 20_000);
    const log = await load.stop();
    await untilAllEnded(postgres.pool, 30_000);
    const { rows } = await postgres.pool.query(`SELECT sum(recoveries) AS recoveries FROM runs`);
    console.log(
      `immediate restart: accepted again after ${((again.atMs - backMs) / 1000).toFixed(1)} s; ` +
        `${acknowledged.length} acknowledged, ${log.refused} refused, ${log.unknown} unknown, ${rows[0].recoveries} recoveries`,
    );
    expect(exits).toEqual([]);
    expect(log.unexpected).toEqual([]);
    expect(log.unknown).toBe(0);
    await expectEachRunEndedOnce(postgres.pool, log);
  }, 120_000);
});

describe("PostgreSQL that does not answer yet", () => {
  it("is waited for by a process that starts", async () => {
    await postgres.freeze();
    const starting = startChildService("api", postgres.connection);
    // Longer than a process that runs waits for an answer.
    await sleep(6_000);
    postgres.thaw();
    const child = await starting;
    expect((await fetch(`${child.address}/readyz`)).status).toBe(200);
    await child.end();
  });
});
