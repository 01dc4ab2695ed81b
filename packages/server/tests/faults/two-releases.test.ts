import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { migrate } from "../../src/storage/migrate.ts";
import type { Pool } from "pg";
import { createPool } from "../../src/storage/pool.ts";
import { readSchemaFiles } from "../../src/storage/schema-files.ts";
import { type ChildService, startChildService } from "../support/child-service.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { fillLoadWorkspace, type LoadWorkspace } from "../support/load-workspace.ts";
import { type Change, nextRelease, type OtherRelease } from "../support/other-release.ts";
import { expectEachRunEndedOnce, untilAllEnded } from "../support/run-invariants.ts";
import { until } from "../support/runs-until.ts";
import { startTriggerLoad } from "../support/trigger-load.ts";

/**
 * What a next release may bring: a field of run events, an argument of admission, and a lock that nothing else can
 * stand beside, if only for a moment.
 */
const changes: readonly Change[] = [
  [
    "migrations/9999_next.sql",
    "",
    `ALTER TYPE run_event ADD ATTRIBUTE epoch integer;
     ALTER TYPE new_run ADD ATTRIBUTE note text;
     ALTER TABLE runs ADD COLUMN note text;
     CREATE INDEX runs_with_a_note ON runs (organization_id) WHERE note IS NOT NULL;`,
  ],
  ["sql/run_event_of.sql", "p_more->'waits'\n", "p_more->'waits',\n    p_run.epoch\n"],
  ["sql/insert_runs.sql", "variables_version, updated_at)", "variables_version, updated_at, note)"],
  ["sql/insert_runs.sql", "variables_version, v_now\n", "variables_version, v_now, n.note\n"],
  ["src/storage/runs/new-run-row.ts", "id: run.id,", 'id: run.id,\n    note: "next",'],
];

let database: TestDatabase;
let workspace: LoadWorkspace;
let next: OtherRelease;
const children: ChildService[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  [workspace, next] = await Promise.all([fillLoadWorkspace(database.pool), nextRelease(changes)]);
});
afterAll(async () => {
  await Promise.all(children.map((child) => child.end()));
  await workspace.close();
  await next.remove();
  await database.drop();
});

async function startRelease(program?: string): Promise<ChildService[]> {
  const started = await Promise.all([
    startChildService("api", database.connection, {}, program),
    startChildService("worker", database.connection, {}, program),
  ]);
  children.push(...started);
  return started;
}

/** The migration stands behind somebody, and everybody stands behind the migration. */
async function migrationWaits(pool: Pool): Promise<boolean> {
  const { rowCount } = await pool.query(
    `SELECT FROM pg_locks WHERE relation = 'runs'::regclass AND mode = 'AccessExclusiveLock' AND NOT granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  );
  return rowCount === 1;
}

describe("a rolling deploy under load", () => {
  it("lets the old release serve while the migration waits, and both releases afterwards", async () => {
    const { pool } = database;
    const [oldApi, oldWorker] = await startRelease();
    const addresses = [oldApi!.address];
    const load = startTriggerLoad({
      addresses,
      key: workspace.key,
      flowIds: ["flow_hello", "flow_effect"],
      clients: 6,
      pauseMs: 40,
    });
    const { acknowledged } = load.log;
    const untilMore = (what: string) => {
      const before = acknowledged.length;
      return until(what, () => acknowledged.length >= before + 100);
    };
    await untilMore("the load is under way");

    // Somebody's report reads the table: the migration cannot have its lock before it is done.
    const report = await pool.connect();
    await report.query(`BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0; SELECT count(*) FROM runs`);
    const migrated = migrate(pool, await next.schemaFiles());
    for (const round of ["first", "second"]) {
      await until(`the migration waits, ${round}`, () => migrationWaits(pool));
      // It gives up its place before the report ends; otherwise nobody else would be served again.
      await until(`the migration steps back, ${round}`, async () => !(await migrationWaits(pool)));
      const before = acknowledged.length;
      await until(`the service goes on, ${round}`, () => acknowledged.length > before);
    }
    await report.query(`COMMIT`);
    report.release();
    expect(await migrated).toEqual(["9999_next.sql", "insert_runs.sql", "run_event_of.sql"]);
    const { rows } = await pool.query(`SELECT coalesce(max(number), 0) AS number FROM event_batches`);
    await untilMore("the old release serves on the new schema");

    addresses.push((await startRelease(next.program))[0]!.address);
    await untilMore("both releases serve");
    // A process of the old release that starts only now, as one does that was restarted half-way.
    expect(await migrate(pool, await readSchemaFiles())).toEqual([]);
    await oldWorker!.end();
    await startRelease();
    await untilMore("both releases serve, one of them anew");

    const log = await load.stop();
    await untilAllEnded(pool, 30_000);
    console.log(
      `rolling deploy under load: ${log.acknowledged.length} acknowledged, the slowest after ${log.slowestMs.toFixed(0)} ms; ${log.refused} refused`,
    );
    expect([log.unexpected, log.unknown]).toEqual([[], 0]);
    // Whoever stands behind the lock is served later; on a crowded machine some give up.
    expect(log.refused).toBeLessThan(log.acknowledged.length / 4);
    await expectEachRunEndedOnce(pool, log);
    // Whoever wrote them, events tell the new field from the moment on that it exists; the argument comes from one side only.
    const events = await pool.query(
      `SELECT count(*) FILTER (WHERE e.epoch IS NULL) AS without, count(*) > 0 AS some
         FROM event_batches b CROSS JOIN LATERAL unnest(b.run_events) AS e WHERE b.number > $1`,
      [rows[0].number],
    );
    expect(events.rows).toEqual([{ without: 0, some: true }]);
    const notes = await pool.query(`SELECT note FROM runs GROUP BY note ORDER BY note`);
    expect(notes.rows).toEqual([{ note: "next" }, { note: null }]);
  }, 480_000);
});

describe("several processes that migrate at once", () => {
  it("wait for the one that does it, also when it takes longer than any statement of the service may", async () => {
    const impatient = () =>
      createPool({ connection: database.connection, size: 1, applicationName: "test", answerTimeoutMs: 500 });
    const slow = { version: 10_000, name: "10000_slow.sql", sql: `SELECT pg_sleep(4)` };
    const pools = [impatient(), impatient()];
    try {
      const applied = await Promise.all(
        pools.map((pool) => migrate(pool, { migrations: [slow], functions: [] })),
      );
      expect(applied.flat()).toEqual([slow.name]);
    } finally {
      await Promise.all(pools.map((pool) => pool.end()));
    }
  });
});
