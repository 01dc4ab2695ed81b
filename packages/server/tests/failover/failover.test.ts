import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { migrate } from "../../src/storage/migrate.ts";
import type { Pool } from "pg";
import { createPool } from "../../src/storage/pool.ts";
import { connectionOf } from "../../src/storage/primary-client.ts";
import { StallMeter } from "../../../../chaos/stall-meter.ts";
import { type ChildService, startChildService } from "../support/child-service.ts";
import { fillLoadWorkspace } from "../support/load-workspace.ts";
import { expectEachRunEndedOnce, untilAllEnded } from "../support/run-invariants.ts";
import { until } from "../support/runs-until.ts";
import { startTriggerLoad } from "../support/trigger-load.ts";
import { builtIn, findSystemPostgres, type PostgresKind } from "./postgres-binaries.ts";
import { type PostgresPair, startPostgresPair } from "./postgres-pair.ts";

const ACCEPTS_AGAIN_WITHIN_MS = 15_000;
/** Whoever promotes the standby takes a while to notice that the primary is gone. */
const OUTAGE_MS = 4_000;
/** A timer that comes so late tells of processes that may have been silent for longer than a lease. */
const STARVED_MS = 1_000;

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

function urlOf({ primary, standby }: PostgresPair): string {
  const hosts = [primary, standby].map(({ host, port }) => `${host}:${port}`).join(",");
  return `postgres://${primary.user}:${primary.password as string}@${hosts}/postgres`;
}

async function startDatabase({
  binaries,
}: PostgresKind): Promise<{ pair: PostgresPair; url: string; pool: Pool }> {
  const pair = await startPostgresPair(binaries);
  cleanUps.push(() => pair.stop());
  const url = urlOf(pair);
  const pool = createPool({ connection: connectionOf(url), size: 4, applicationName: "test" });
  cleanUps.push(() => pool.end());
  await migrate(pool);
  return { pair, url, pool };
}

async function startProcesses(url: string): Promise<{ apis: ChildService[]; all: ChildService[] }> {
  const roles = ["api", "api", "worker", "worker"] as const;
  const starting = roles.map((role) => startChildService(role, url));
  cleanUps.push(() => Promise.allSettled(starting.map(async (child) => (await child).end())));
  const all = await Promise.all(starting);
  return { apis: all.slice(0, 2), all };
}

/** Kills the primary under load and promotes the standby; every promise is looked at afterwards. */
async function failOver(kind: PostgresKind): Promise<void> {
  const stalls = new StallMeter();
  cleanUps.push(async () => stalls.stop());
  const { pair, url, pool } = await startDatabase(kind);
  const { key, gate, close } = await fillLoadWorkspace(pool);
  cleanUps.push(close);
  const { apis, all } = await startProcesses(url);
  const addresses = apis.map(({ address }) => address);
  const exits: number[] = [];
  for (const { pid, exited } of all) void exited.then(() => exits.push(pid));

  const held = startTriggerLoad({ addresses, key, flowIds: ["flow_held"], clients: 1, pauseMs: 100 });
  await gate.untilArrived(5);
  await held.stop();
  const load = startTriggerLoad({
    addresses,
    key,
    flowIds: ["flow_hello", "flow_effect"],
    clients: 8,
    pauseMs: 40,
  });
  const { acknowledged } = load.log;
  await until("the load is under way", () => acknowledged.length >= 300, 20_000);
  const killedMs = performance.now();
  await pair.killPrimary();
  await until("clients hear of it", () => load.log.refused > 0, 10_000);
  await sleep(OUTAGE_MS);
  const before = acknowledged.length;
  const promotedMs = performance.now();
  const promotedAtMs = Date.now();
  await pair.promote();
  const again = await until(
    "a run is accepted again",
    () => acknowledged[before],
    ACCEPTS_AGAIN_WITHIN_MS + 5_000,
  );
  const tookMs = again.atMs - promotedMs;
  await until("the load goes on", () => acknowledged.length >= before + 300, 20_000);
  const log = await load.stop();
  gate.open();
  // A pool that had closed its idle connections hears of the failover by its first query, which fails.
  await until("the test finds the new primary", () => pool.query(`SELECT 1`).catch(() => false as const));
  await untilAllEnded(pool, 40_000);

  const { rows } = await pool.query(`SELECT count(*) AS count, sum(recoveries) AS recoveries FROM runs`);
  console.log(
    `failover (${kind.name}): accepted again ${(tookMs / 1000).toFixed(1)} s after the promotion, ` +
      `${((again.atMs - killedMs) / 1000).toFixed(1)} s after the kill; ${log.acknowledged.length} runs acknowledged, ` +
      `${rows[0].count} made, ${log.refused} triggers refused, ${log.unknown} unknown, ${rows[0].recoveries} recoveries`,
  );
  // As far as the machine had time for it.
  const allowanceMs = stalls.allowanceMs(promotedAtMs, promotedAtMs + tookMs);
  expect(tookMs).toBeLessThan(ACCEPTS_AGAIN_WITHIN_MS + allowanceMs);
  expect(exits).toEqual([]);
  // The workers were there all the time: nothing was taken from them, unless they could not say so for want of a processor.
  if (stalls.worstMs() < STARVED_MS) expect(rows[0].recoveries).toBe(0);
  expect(log.unexpected).toEqual([]);
  await expectEachRunEndedOnce(pool, log);
  await expectEachRunEndedOnce(pool, held.log);

  await pair.reviveOldPrimary();
  const newcomer = createPool({ connection: connectionOf(url), size: 1, applicationName: "test" });
  cleanUps.push(() => newcomer.end());
  const { rows: answers } = await newcomer.query(`SELECT inet_server_port() AS port`);
  expect(answers[0].port).toBe(pair.standby.port);
}

describe("a hot standby that takes over from a killed primary", () => {
  const promise =
    "has every acknowledged run, each ends once, runs are accepted again within 15 seconds, and the old primary gets no second chance";

  it(`${promise}, on ${builtIn.name}`, () => failOver(builtIn), 240_000);

  const system = findSystemPostgres();
  if ("missing" in system) {
    it.skip(`${promise}, on PostgreSQL of the system: ${system.missing}`, () => {});
  } else it(`${promise}, on ${system.name}`, () => failOver(system), 240_000);
});
