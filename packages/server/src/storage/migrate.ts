import { readFile, readdir } from "node:fs/promises";
import type { Pool, PoolClient } from "pg";

const migrationsUrl = new URL("../../migrations/", import.meta.url);
// Any constant will do, as long as every Millrace of the same database uses it.
const MIGRATION_LOCK = 4_163_905_501;

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
}

export async function readMigrations(directory: URL = migrationsUrl): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => /^\d{4}_.+\.sql$/.test(name)).sort();
  return Promise.all(
    names.map(async (name) => ({
      version: Number(name.slice(0, 4)),
      name,
      sql: await readFile(new URL(name, directory), "utf8"),
    })),
  );
}

export async function appliedVersion(pool: Pool): Promise<number> {
  const { rows } = await pool.query(`SELECT to_regclass('millrace_migrations') IS NOT NULL AS known`);
  if (!rows[0].known) return 0;
  const latest = await pool.query(`SELECT coalesce(max(version), 0) AS version FROM millrace_migrations`);
  return latest.rows[0].version;
}

/**
 * Brings the schema up to date and returns what was applied. One process at a time does the work,
 * the others wait for it; a lock that cannot be had in two seconds is given back and tried again,
 * so that a migration never stands in front of the service's own statements.
 */
export async function migrate(pool: Pool, migrations?: Migration[]): Promise<string[]> {
  const all = migrations ?? (await readMigrations());
  const client = await pool.connect();
  try {
    await client.query(`SET statement_timeout = 0`);
    await client.query(`SELECT pg_advisory_lock($1)`, [MIGRATION_LOCK]);
    await client.query(
      `CREATE TABLE IF NOT EXISTS millrace_migrations (version integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`,
    );
    const { rows } = await client.query(`SELECT version FROM millrace_migrations`);
    const known = new Set(rows.map((row) => row.version));
    const pending = all.filter((migration) => !known.has(migration.version));
    for (const migration of pending) await applyOne(client, migration);
    return pending.map((migration) => migration.name);
  } finally {
    // The session's settings and its lock go with it.
    client.release(true);
  }
}

async function applyOne(client: PoolClient, migration: Migration): Promise<void> {
  const attempts = 30;
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query("BEGIN");
      await client.query(`SET LOCAL lock_timeout = '2s'`);
      await client.query(migration.sql);
      await client.query(`INSERT INTO millrace_migrations (version, name) VALUES ($1, $2)`, [
        migration.version,
        migration.name,
      ]);
      await client.query("COMMIT");
      return;
    } catch (error) {
      await client.query("ROLLBACK");
      const lockNotAvailable = (error as { code?: string }).code === "55P03";
      if (!lockNotAvailable || attempt === attempts) throw error;
    }
  }
}
