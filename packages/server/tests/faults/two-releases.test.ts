import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { migrate, readMigrations } from "../../src/storage/migrate.ts";
import { createPool } from "../../src/storage/pool.ts";
import { type ChildService, startChildService } from "../support/child-service.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { fillLoadWorkspace, type LoadWorkspace } from "../support/load-workspace.ts";
import { expectEachRunEndedOnce, untilAllEnded } from "../support/run-invariants.ts";
import { until } from "../support/runs-until.ts";
import { startTriggerLoad } from "../support/trigger-load.ts";

/** What a next release might bring: a lock that nothing else can stand beside, if only for a moment. */
const nextMigration = {
  version: 9_999,
  name: "9999_next.sql",
  sql: `ALTER TABLE runs ADD COLUMN note text; CREATE INDEX runs_with_a_note ON runs (organization_id) WHERE note IS NOT NULL;`,
};

let database: TestDatabase;
let workspace: LoadWorkspace;
const children: ChildService[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  workspace = await fillLoadWorkspace(database.pool);
});
afterAll(async () => {
  await Promise.all(children.map((child) => child.end()));
  await workspace.close();
  await database.drop();
});

async function startRelease(): Promise<ChildService> {
  const [api, worker] = await Promise.all([
    startChildService("api", database.connection),
    startChildService("worker", database.connection),
  ]);
  children.push(api, worker);
  return api;
}

describe("a migration under load", () => {
  it("waits for nobody longer than two seconds, and the old release and the new one both serve", async () => {
    const old = await startRelease();
    const addresses = [old.address];
    const load = startTriggerLoad({
      addresses,
      key: workspace.key,
      flowIds: ["flow_hello", "flow_effect"],
      clients: 6,
      pauseMs: 5,
    });
    const { acknowledged } = load.log;
    await until("the load is under way", () => acknowledged.length >= 100, 20_000);

    // Somebody's report reads the table: the migration cannot have its lock before it is done.
    const report = await database.pool.connect();
    await report.query(`BEGIN`);
    await report.query(`SELECT count(*) FROM runs`);
    const migrated = migrate(database.pool, [...(await readMigrations()), nextMigration]);
    const before = acknowledged.length;
    await sleep(6_000);
    expect(acknowledged.length).toBeGreaterThan(before);
    await report.query(`COMMIT`);
    report.release();
    expect(await migrated).toEqual([nextMigration.name]);

    addresses.push((await startRelease()).address);
    const after = acknowledged.length;
    await until("both releases serve", () => acknowledged.length >= after + 100, 20_000);
    const log = await load.stop();
    await untilAllEnded(database.pool, 30_000);
    console.log(
      `migration under load: ${log.acknowledged.length} acknowledged, the slowest after ${log.slowestMs.toFixed(0)} ms; ${log.refused} refused`,
    );
    expect([log.unexpected, log.unknown]).toEqual([[], 0]);
    // Two seconds behind a lock leave half a second until the API gives up; on a crowded machine some do.
    expect(log.refused).toBeLessThan(log.acknowledged.length / 4);
    await expectEachRunEndedOnce(database.pool, log);
  }, 90_000);
});

describe("several processes that migrate at once", () => {
  it("wait for the one that does it, also when it takes longer than any statement of the service may", async () => {
    const impatient = () =>
      createPool({ connection: database.connection, size: 1, applicationName: "test", answerTimeoutMs: 500 });
    const slow = { version: 10_000, name: "10000_slow.sql", sql: `SELECT pg_sleep(4)` };
    const pools = [impatient(), impatient()];
    try {
      const applied = await Promise.all(pools.map((pool) => migrate(pool, [slow])));
      expect(applied.flat()).toEqual([slow.name]);
    } finally {
      await Promise.all(pools.map((pool) => pool.end()));
    }
  });
});
