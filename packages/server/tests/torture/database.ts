import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ClientConfig } from "pg";
import { embeddedConnection, embeddedPaths } from "../../src/storage/embedded/paths.ts";
import { startEmbeddedServer } from "../../src/storage/embedded/server.ts";
import { migrate } from "../../src/storage/migrate.ts";
import { createPool } from "../../src/storage/pool.ts";

export interface OwnDatabase {
  readonly connection: ClientConfig;
  stop(): Promise<void>;
}

/** An empty database on a PostgreSQL of its own, gone afterwards. */
export async function startOwnDatabase(): Promise<OwnDatabase> {
  const directory = await mkdtemp(join(tmpdir(), "millrace-torture-"));
  const paths = embeddedPaths(directory);
  // It outlives every process that is killed, and nothing outlives it.
  const server = await startEmbeddedServer(paths, { fsync: "off", full_page_writes: "off" });
  const connection = await embeddedConnection(paths);
  const pool = createPool({ connection, size: 1, applicationName: "torture" });
  await migrate(pool);
  await pool.end();
  return {
    connection,
    stop: async () => {
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
