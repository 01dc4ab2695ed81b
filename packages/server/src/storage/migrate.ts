import { setTimeout as sleep } from "node:timers/promises";
import { boolean, integer, text } from "./columns.ts";
import { lockTables } from "./lock-tables.ts";
import { BEGIN, COMMIT, type Db, type Pool, ROLLBACK } from "./pool.ts";
import { readSchemaFiles, type SchemaFiles } from "./schema-files.ts";
import { script, statement } from "./statement.ts";

// Any constant will do, as long as every Millrace of the same database uses it.
const MIGRATION_LOCK = 4_163_905_501;
// A change of a large table takes its time; the service's own limits on an answer do not hold for it.
const MAX_STATEMENT_MS = 24 * 3_600_000;
const MAX_WAIT_MS = 3_600_000;
const LOOK_AGAIN_MS = 200;
const ATTEMPTS = 100;
// Whoever had to stand behind the migration goes first, before it stands in the way again.
const ATTEMPT_PAUSE_MS = 1_000;

export interface SchemaState {
  /** The last migration that was applied; 0 for an empty database. */
  readonly version: number;
  /** What this release brings and the database does not have. */
  readonly pending: SchemaFiles;
}

const FIND_TABLES = statement({
  text: `SELECT to_regclass('millrace_migrations') IS NOT NULL AS migrations, to_regclass('millrace_functions') IS NOT NULL AS functions`,
  columns: { migrations: boolean, functions: boolean },
});

const LIST_APPLIED = statement({
  text: `SELECT version FROM millrace_migrations`,
  columns: { version: integer },
});

const LIST_FUNCTIONS = statement({
  text: `SELECT name, revision, hash FROM millrace_functions`,
  columns: { name: text, revision: integer, hash: text },
});

export async function readSchemaState(db: Db, files: SchemaFiles): Promise<SchemaState> {
  const tables = await db.query(FIND_TABLES());
  const known = tables.rows[0]!;
  const applied = known.migrations ? (await db.query(LIST_APPLIED())).rows : [];
  const current = known.functions ? (await db.query(LIST_FUNCTIONS())).rows : [];
  const versions = new Set(applied.map(({ version }) => version));
  const inForce = new Map(current.map((row) => [row.name, row]));
  return {
    version: Math.max(0, ...versions),
    pending: {
      migrations: files.migrations.filter(({ version }) => !versions.has(version)),
      functions: files.functions.filter(({ name, revision, hash }) => {
        const there = inForce.get(name);
        return !there || revision > there.revision || (revision === there.revision && hash !== there.hash);
      }),
    },
  };
}

/** File names of what is still to be applied. */
export function pendingNames({ pending: { migrations, functions } }: SchemaState): string[] {
  return [...migrations.map(({ name }) => name), ...functions.map(({ name }) => `${name}.sql`)];
}

const WITHOUT_TIMEOUT = statement({ text: `SET statement_timeout = 0` });

const MAKE_TABLES = [
  statement({
    text: `CREATE TABLE IF NOT EXISTS millrace_migrations (version integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`,
  }),
  statement({
    text: `CREATE TABLE IF NOT EXISTS millrace_functions (name text PRIMARY KEY, revision integer NOT NULL, hash text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`,
  }),
];

/**
 * Brings the schema up to date and returns what was applied. One process at a time does the work, the others wait for
 * it; locks that cannot be had in less than a second are given back and tried for again, so that a migration never
 * stands in front of the service's own statements.
 */
export async function migrate(pool: Pool, files?: SchemaFiles): Promise<string[]> {
  const release = files ?? (await readSchemaFiles());
  const client = await pool.connect();
  try {
    await client.query(WITHOUT_TIMEOUT());
    await waitForTurn(client);
    for (const make of MAKE_TABLES) await client.query(make());
    const state = await readSchemaState(client, release);
    const names = pendingNames(state);
    if (names.length > 0) await applyPatiently(client, state.pending);
    return names;
  } finally {
    // The session's settings and its lock go with it.
    client.release(true);
  }
}

const TRY_LOCK = statement({
  text: `SELECT pg_try_advisory_lock($1) AS mine`,
  columns: { mine: boolean },
});

/** Asks again and again instead of waiting in the database, where the limit on waiting for a lock would end it. */
async function waitForTurn(db: Db): Promise<void> {
  const deadlineMs = performance.now() + MAX_WAIT_MS;
  for (;;) {
    const { rows } = await db.query(TRY_LOCK([MIGRATION_LOCK]));
    if (rows[0]!.mine) return;
    if (performance.now() > deadlineMs)
      throw new Error("Another process has been migrating this database for an hour; see pg_stat_activity.");
    await sleep(LOOK_AGAIN_MS);
  }
}

/** A lock that was not to be had in time, or a deadlock over something that could not be locked beforehand. */
const IN_THE_WAY = new Set(["55P03", "40P01"]);

const SHORT_LOCKS = statement({ text: `SET LOCAL lock_timeout = '2s'` });

async function applyPatiently(client: Db, changes: SchemaFiles): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query(BEGIN());
      await lockTables(
        client,
        changes.migrations.map(({ sql }) => sql),
      );
      await client.query(SHORT_LOCKS());
      await applyAll(client, changes);
      await client.query(COMMIT());
      return;
    } catch (error) {
      await client.query(ROLLBACK());
      const inTheWay = IN_THE_WAY.has((error as { code?: string }).code ?? "");
      if (!inTheWay || attempt === ATTEMPTS) throw error;
      await sleep(ATTEMPT_PAUSE_MS);
    }
  }
}

const UNCHECKED_FUNCTIONS = statement({ text: `SET LOCAL check_function_bodies = off` });

const INSERT_MIGRATION = statement({
  text: `INSERT INTO millrace_migrations (version, name) VALUES ($1, $2)`,
});

const PUT_FUNCTION = statement({
  text: `INSERT INTO millrace_functions (name, revision, hash) VALUES ($1, $2, $3)
       ON CONFLICT (name) DO UPDATE SET revision = excluded.revision, hash = excluded.hash, applied_at = now()`,
});

/**
 * In one transaction: processes of the release before go on meanwhile, and between a type that has a new field and the
 * function that fills it every statement of theirs would fail.
 */
async function applyAll(client: Db, { migrations, functions }: SchemaFiles): Promise<void> {
  const change = (text: string) => script(text, { query_timeout: MAX_STATEMENT_MS });
  for (const { version, name, sql } of migrations) {
    await client.query(change(sql));
    await client.query(INSERT_MIGRATION([version, name]));
  }
  // Functions call each other; they are there together when this is committed.
  await client.query(UNCHECKED_FUNCTIONS());
  for (const { name, revision, hash, sql } of functions) {
    await client.query(change(sql));
    await client.query(PUT_FUNCTION([name, revision, hash]));
  }
}
