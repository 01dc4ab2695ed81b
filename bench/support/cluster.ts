import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ClientConfig } from "pg";
import { embeddedConnection, embeddedPaths } from "../../packages/server/src/storage/embedded/paths.ts";
import { startEmbeddedServer } from "../../packages/server/src/storage/embedded/server.ts";
import { createPool, type Pool } from "../../packages/server/src/storage/pool.ts";

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
  stop(): Promise<void>;
}

/** The PostgreSQL that Millrace ships, with the settings it ships: every commit is durable. */
export async function startCluster(): Promise<Cluster> {
  const directory = await mkdtemp(join(tmpdir(), "millrace-bench-"));
  const paths = embeddedPaths(directory);
  const server = await startEmbeddedServer(paths);
  const connection = await embeddedConnection(paths);
  const admin = createPool({ connection, size: 1, applicationName: "bench admin" });
  const open = new Set<BenchDatabase>();
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
    stop: async () => {
      await Promise.all([...open].map(({ pool }) => pool.end()));
      await admin.end();
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function urlOf({ host, user, password }: ClientConfig, name: string): string {
  return `postgres://${user}:${String(password)}@localhost/${name}?host=${encodeURIComponent(String(host))}`;
}
