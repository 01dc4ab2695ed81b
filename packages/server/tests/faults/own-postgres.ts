import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Client, type ClientConfig } from "pg";
import { embeddedConnection, embeddedPaths } from "../../src/storage/embedded/paths.ts";
import { startEmbeddedServer } from "../../src/storage/embedded/server.ts";
import { migrate } from "../../src/storage/migrate.ts";
import type { Pool } from "pg";
import { createPool } from "../../src/storage/pool.ts";
import { temporaryDirectory } from "../support/child-millrace.ts";
import { until } from "../support/runs-until.ts";

/** A PostgreSQL of one's own, with the settings Millrace ships, to be ill-treated without harm to other tests. */
export interface OwnPostgres {
  readonly connection: ClientConfig;
  readonly pool: Pool;
  /** As `pg_ctl restart -m immediate`: without a checkpoint, so it recovers from its log. Returns when it answers. */
  restartImmediately(): Promise<void>;
  /** Every process of it stands still, and nothing is closed. */
  freeze(): Promise<void>;
  thaw(): void;
  /** A setting of the whole server, for sessions that exist too; undefined takes it back. */
  set(name: string, value: string | undefined): Promise<void>;
  stop(): Promise<void>;
}

export async function startOwnPostgres(): Promise<OwnPostgres> {
  const directory = await temporaryDirectory();
  const paths = embeddedPaths(directory.path);
  const server = await startEmbeddedServer(paths);
  const connection = await embeddedConnection(paths);
  const pool = createPool({ connection, size: 4, applicationName: "test" });
  await migrate(pool);

  const postmaster = async () =>
    Number((await readFile(join(paths.cluster, "postmaster.pid"), "utf8")).split("\n")[0]);
  let frozen: number[] = [];
  const thaw = () => {
    for (const pid of frozen.splice(0)) process.kill(pid, "SIGCONT");
  };
  return {
    connection,
    pool,
    restartImmediately: async () => {
      const before = await startTime(connection);
      process.kill(await postmaster(), "SIGQUIT");
      // The one who keeps it alive starts it again.
      const isBack = async () => (await startTime(connection).catch(() => before)) !== before;
      await until("PostgreSQL is back", isBack, 60_000);
    },
    freeze: async () => {
      const pid = await postmaster();
      const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
      frozen = [pid, ...children.trim().split(" ").map(Number)];
      for (const each of frozen) process.kill(each, "SIGSTOP");
    },
    thaw,
    set: async (name, value) => {
      await withClient(connection, async (client) => {
        await client.query(`SET default_transaction_read_only = off`);
        await client.query(
          value === undefined ? `ALTER SYSTEM RESET ${name}` : `ALTER SYSTEM SET ${name} = ${value}`,
        );
        await client.query(`SELECT pg_reload_conf()`);
      });
    },
    stop: async () => {
      thaw();
      await pool.end();
      await server.stop();
      await directory.remove();
    },
  };
}

function startTime(connection: ClientConfig): Promise<string> {
  return withClient(connection, async (client) => {
    const { rows } = await client.query(`SELECT pg_postmaster_start_time()::text AS time`);
    return rows[0].time as string;
  });
}

async function withClient<T>(connection: ClientConfig, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ ...connection, connectionTimeoutMillis: 2_000 });
  client.on("error", () => {});
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}
