import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ClientConfig } from "pg";
import { embeddedConnection, embeddedPaths } from "../../packages/server/src/storage/embedded/paths.ts";
import { startEmbeddedServer } from "../../packages/server/src/storage/embedded/server.ts";
import type { Pool } from "pg";
import { createPool } from "../../packages/server/src/storage/pool.ts";

export interface BenchDatabase {
  readonly name: string;
  readonly url: string;
  /** For looking and seeding; the processes under test have connections of their own. */
  readonly pool: Pool;
  drop(): Promise<void>;
}

export interface Cluster {
  readonly directory: string;
  createDatabase(name: string): Promise<BenchDatabase>;
  /** What the database spent its time on; undefined unless the cluster was started to know. */
  topStatements(database: BenchDatabase, most: number): Promise<string | undefined>;
  stop(): Promise<void>;
}

// Statements inside functions count for themselves, so a function's own line holds them a second time.
const COUNT_STATEMENTS = {
  shared_preload_libraries: "pg_stat_statements",
  "pg_stat_statements.track": "all",
  track_io_timing: "on",
};

const TOP_STATEMENTS = `
  SELECT format('%9s ms %8s calls %9s ms each %10s rows %9s blocks  %s%s', round(total_exec_time::numeric), calls,
           round(mean_exec_time::numeric, 3), rows, shared_blks_hit + shared_blks_read, CASE WHEN toplevel THEN '' ELSE '└ ' END,
           left(regexp_replace(query, '\\s+', ' ', 'g'), 150)) AS line
    FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid
   WHERE d.datname = $1 ORDER BY total_exec_time DESC LIMIT $2`;

/** The PostgreSQL that Millrace ships, with the settings it ships: every commit is durable. */
export async function startCluster({ statements }: { statements: boolean }): Promise<Cluster> {
  const directory = await mkdtemp(join(tmpdir(), "millrace-bench-"));
  const paths = embeddedPaths(directory);
  const server = await startEmbeddedServer(paths, statements ? COUNT_STATEMENTS : {});
  const connection = await embeddedConnection(paths);
  const admin = createPool({ connection, size: 1, applicationName: "bench admin" });
  if (statements) await admin.query(`CREATE EXTENSION pg_stat_statements`);
  const open = new Set<BenchDatabase>();
  const stop = async (): Promise<void> => {
    await Promise.all([...open].map(({ pool }) => pool.end()));
    await admin.end();
    await server.stop();
    await rm(directory, { recursive: true, force: true });
  };
  let stopped: Promise<void> | undefined;
  return {
    directory,
    createDatabase: async (name) => {
      await admin.query(`CREATE DATABASE ${name}`);
      const database: BenchDatabase = {
        name,
        url: urlOf(connection, name),
        pool: createPool({
          connection: { ...connection, database: name },
          size: 4,
          applicationName: "bench",
          answerTimeoutMs: 600_000,
        }),
        drop: async () => {
          open.delete(database);
          await database.pool.end();
          await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
        },
      };
      open.add(database);
      return database;
    },
    topStatements: async ({ name }, most) => {
      if (!statements) return undefined;
      const { rows } = await admin.query(TOP_STATEMENTS, [name, most]);
      await admin.query(
        `SELECT pg_stat_statements_reset(0, (SELECT oid FROM pg_database WHERE datname = $1))`,
        [name],
      );
      return rows.map(({ line }) => line).join("\n");
    },
    // An interrupted benchmark stops it twice: for the signal, and for the failure that follows.
    stop: () => (stopped ??= stop()),
  };
}

function urlOf({ host, user, password }: ClientConfig, name: string): string {
  return `postgres://${user}:${String(password)}@localhost/${name}?host=${encodeURIComponent(String(host))}`;
}
