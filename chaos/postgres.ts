import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ClientConfig } from "pg";
import { embeddedConnection, embeddedPaths } from "../packages/server/src/storage/embedded/paths.ts";
import { startEmbeddedServer } from "../packages/server/src/storage/embedded/server.ts";
import type { Pool } from "pg";
import { createPool } from "../packages/server/src/storage/pool.ts";

export interface ChaosPostgres {
  readonly connection: ClientConfig;
  /** Past every proxy: what the harness reads and breaks by hand. */
  readonly pool: Pool;
  /** As `pg_ctl restart -m immediate`: no checkpoint, no farewell; returns once it answers again. */
  restartImmediately(): Promise<void>;
  stop(): Promise<void>;
}

const RESTART_MS = 30_000;

/** The PostgreSQL that Millrace ships, with the settings it ships: every commit is durable. */
export async function startPostgres(directory: string): Promise<ChaosPostgres> {
  const paths = embeddedPaths(directory);
  const server = await startEmbeddedServer(paths, { max_connections: "300" });
  const connection = await embeddedConnection(paths);
  const pool = createPool({ connection, size: 6, applicationName: "chaos", answerTimeoutMs: 60_000 });
  const startedAt = async () =>
    String((await pool.query(`SELECT pg_postmaster_start_time()::text AS at`)).rows[0].at);
  return {
    connection,
    pool,
    restartImmediately: async () => {
      const before = await startedAt();
      const [pid = ""] = (await readFile(join(paths.cluster, "postmaster.pid"), "utf8")).split("\n");
      // The embedded server starts one anew whenever its own is gone.
      process.kill(Number(pid), "SIGQUIT");
      const endAtMs = Date.now() + RESTART_MS;
      while ((await startedAt().catch(() => before)) === before) {
        if (Date.now() > endAtMs) throw new Error("PostgreSQL did not come back after an immediate restart.");
        await sleep(50);
      }
    },
    stop: async () => {
      await pool.end();
      await server.stop();
    },
  };
}
