import { readFile, readdir } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { Pool, PoolClient, QueryConfig } from "pg";

const migrationsUrl = new URL("../../migrations/", import.meta.url);
// Any constant will do, as long as every Millrace of the same database uses it.
const MIGRATION_LOCK = 4_163_905_501;
// A change of a large table takes its time; the service's own limits on an answer do not hold for it.
const MAX_STATEMENT_MS = 24 * 3_600_000;
const MAX_WAIT_MS = 3_600_000;
const LOOK_AGAIN_MS = 200;
const ATTEMPTS = 60;
// Whoever had to stand behind the migration goes first, before it stands in the way again.
const ATTEMPT_PAUSE_MS = 1_000;

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
    await waitForTurn(client);
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

/** Asks again and again instead of waiting in the database, where the limit on waiting for a lock would end it. */
async function waitForTurn(client: PoolClient): Promise<void> {
  const deadlineMs = performance.now() + MAX_WAIT_MS;
  for (;;) {
    const { rows } = await client.query(`SELECT pg_try_advisory_lock($1) AS mine`, [MIGRATION_LOCK]);
    if (rows[0].mine) return;
    if (performance.now() > deadlineMs)
      throw new Error("Another process has been migrating this database for an hour; see pg_stat_activity.");
    await sleep(LOOK_AGAIN_MS);
  }
}

/** A lock that was not to be had in time, or a deadlock with statements that lock tables in another order. */
const IN_THE_WAY = new Set(["55P03", "40P01"]);

async function applyOne(client: PoolClient, migration: Migration): Promise<void> {
  const change: QueryConfig & { query_timeout: number } = {
    text: migration.sql,
    query_timeout: MAX_STATEMENT_MS,
  };
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query("BEGIN");
      await client.query(`SET LOCAL lock_timeout = '2s'`);
      await client.query(change);
      await client.query(`INSERT INTO millrace_migrations (version, name) VALUES ($1, $2)`, [
        migration.version,
        migration.name,
      ]);
      await client.query("COMMIT");
      return;
    } catch (error) {
      await client.query("ROLLBACK");
      const inTheWay = IN_THE_WAY.has((error as { code?: string }).code ?? "");
      if (!inTheWay || attempt === ATTEMPTS) throw error;
      await sleep(ATTEMPT_PAUSE_MS);
    }
  }
}
