import type { PoolClient } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lockTables } from "../../src/storage/lock-tables.ts";
import { migrate } from "../../src/storage/migrate.ts";
import { readSchemaFiles } from "../../src/storage/schema-files.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { untilBlocked } from "../support/runs-blocked.ts";

let database: TestDatabase;
let client: PoolClient;
beforeAll(async () => {
  database = await createTestDatabase(6, "template0");
  client = await database.pool.connect();
});
afterAll(async () => {
  client.release();
  await database.drop();
});

/** Tables that this session keeps others from writing to. */
async function lockedTables(): Promise<string[]> {
  const { rows } = await client.query(
    `SELECT l.relation::regclass::text AS name, l.mode FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
      WHERE l.pid = pg_backend_pid() AND c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
        AND l.mode IN ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
      ORDER BY 1, 2`,
  );
  return rows.map(({ name, mode }) => `${name} ${mode}`);
}

describe("migrations", () => {
  it("lock nothing that was there before and that they have not locked together, to begin with", async () => {
    const { migrations } = await readSchemaFiles();
    for (const { name, sql } of migrations) {
      const { rows } = await client.query(`SELECT tablename FROM pg_tables WHERE schemaname = 'public'`);
      const known = new Set(rows.map(({ tablename }) => String(tablename)));
      await client.query(`BEGIN`);
      await lockTables(client, [sql]);
      const before = new Set(await lockedTables());
      await client.query(sql);
      const more = (await lockedTables()).filter(
        (lock) => known.has(lock.split(" ")[0]!) && !before.has(lock),
      );
      // An ACCESS EXCLUSIVE lock that was taken beforehand covers the weaker ones of the same table.
      const late = more.filter((lock) => !before.has(`${lock.split(" ")[0]} AccessExclusiveLock`));
      expect({ name, late }).toEqual({ name, late: [] });
      await client.query(`COMMIT`);
    }
  });
});

describe("a statement that holds what a migration needs, and needs what it holds", () => {
  it("is never the one that PostgreSQL ends", async () => {
    const { connection, pool, drop } = await createTestDatabase();
    // Two timers of two processes decide who is ended; a machine without time keeps either waiting for a second or two.
    await database.pool.query(`ALTER DATABASE ${connection.database} SET deadlock_timeout = '6s'`);
    const service = await pool.connect();
    // It looks for deadlocks before the migration would, as if it had waited for longer.
    await service.query(
      `BEGIN; SET LOCAL lock_timeout = 0; SET LOCAL deadlock_timeout = '5s'; LOCK TABLE runs IN ACCESS SHARE MODE`,
    );
    const sql = `ALTER TABLE organizations ADD COLUMN one text; ALTER TABLE runs ADD COLUMN two text`;
    const migrated = migrate(pool, {
      migrations: [{ version: 9_001, name: "9001_test.sql", sql }],
      functions: [],
    });
    await untilBlocked(pool, "LOCK TABLE");
    // The migration has the organizations by now, and waits for the runs.
    await service.query(`SELECT FROM organizations`);
    await service.query(`COMMIT`);
    service.release();
    expect(await migrated).toEqual(["9001_test.sql"]);
    await drop();
  });
});
