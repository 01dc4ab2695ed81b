import { afterAll, beforeAll, expect, it } from "vitest";
import { migrate } from "../../src/storage/migrate.ts";
import { readSchemaFiles } from "../../src/storage/schema-files.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { until } from "../support/runs-until.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it("a migration that gets into a deadlock with the service is tried again and applied", async () => {
  const { pool } = database;
  const service = await pool.connect();
  // The service locks an organization first and runs afterwards; this migration does it the other way round.
  // PostgreSQL ends whoever looks first; on a slow machine that could be the service.
  await service.query(
    `BEGIN; SET LOCAL lock_timeout = 0; SET LOCAL deadlock_timeout = '1min'; SELECT FROM organizations FOR NO KEY UPDATE`,
  );
  // Nobody can see beforehand that it will.
  const sql = `LOCK TABLE runs; LOCK TABLE organizations; CREATE TABLE one ()`;
  const { migrations, functions } = await readSchemaFiles();
  const next = { version: 9_001, name: "9001_test.sql", sql };
  const applied = migrate(pool, { migrations: [...migrations, next], functions });
  await until("the migration waits for the organizations", async () => {
    const { rowCount } = await pool.query(
      `SELECT FROM pg_locks WHERE relation = 'organizations'::regclass AND NOT granted
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    return rowCount === 1;
  });
  await service.query(`SELECT FROM runs LIMIT 1`);
  await service.query("COMMIT");
  service.release();
  expect(await applied).toEqual(["9001_test.sql"]);
  expect((await pool.query(`SELECT FROM one`)).rowCount).toBe(0);
}, 30_000);
