import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, type ClientConfig } from "pg";
import type { PostgresBinaries } from "../../src/storage/embedded/binaries.ts";
import {
  chooseServerUser,
  giveTo,
  type ServerUser,
  spawnAs,
} from "../../src/storage/embedded/unprivileged.ts";
import { freePort } from "../support/child-millrace.ts";
import { until } from "../support/runs-until.ts";

/** A primary and a hot standby that has every commit before it is acknowledged. */
export interface PostgresPair {
  readonly primary: ClientConfig;
  readonly standby: ClientConfig;
  /** `kill -9`. */
  killPrimary(): Promise<void>;
  /** Returns when the standby takes writes. */
  promote(): Promise<void>;
  /** Starts the old primary again as if nothing had happened. */
  reviveOldPrimary(): Promise<void>;
  stop(): Promise<void>;
}

const PASSWORD = "only-for-this-test";

export async function startPostgresPair({ initdb, postgres }: PostgresBinaries): Promise<PostgresPair> {
  const directory = await mkdtemp(join(tmpdir(), "millrace-failover-"));
  const user = await chooseServerUser(directory, [directory, postgres]);
  await giveTo(user, directory);
  const [primaryData, standbyData] = [join(directory, "primary"), join(directory, "standby")];
  const [primary, standby] = [connectionTo(await freePort()), connectionTo(await freePort())];
  const servers: ChildProcess[] = [];
  // An interrupted test leaves no server behind.
  const killAll = () => servers.forEach((server) => server.kill("SIGKILL"));
  process.once("exit", killAll);
  const launch = async (data: string, connection: ClientConfig, settings: Record<string, string>) => {
    const server = launchPostgres(postgres, user, data, { port: `${connection.port}`, ...settings });
    servers.push(server);
    await until(
      `the server in ${data} answers`,
      () => ask(connection, `SELECT 1`).catch(() => false),
      30_000,
    );
    return server;
  };
  const stop = async () => {
    await Promise.all(servers.map((server) => end(server, "SIGQUIT")));
    process.off("exit", killAll);
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    await initialise(initdb, user, directory, primaryData);
    // Nothing has been written yet, so a copy is a base backup.
    await run(user, "cp", ["-R", "-p", primaryData, standbyData]);
    await writeFile(join(standbyData, "standby.signal"), "");
    await giveTo(user, join(standbyData, "standby.signal"));
    const launchPrimary = () => launch(primaryData, primary, { synchronous_standby_names: "*" });
    const server = await launchPrimary();
    const upstream = `host=127.0.0.1 port=${primary.port} user=millrace password=${PASSWORD}`;
    await launch(standbyData, standby, { primary_conninfo: upstream });
    await until(
      "the standby is synchronous",
      async () => (await ask(primary, `SELECT FROM pg_stat_replication WHERE sync_state = 'sync'`)) === 1,
      30_000,
    );
    return {
      primary,
      standby,
      killPrimary: () => end(server, "SIGKILL"),
      promote: async () => void (await ask(standby, `SELECT pg_promote()`)),
      reviveOldPrimary: async () => void (await launchPrimary()),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function connectionTo(port: number): ClientConfig {
  return { host: "127.0.0.1", port, user: "millrace", password: PASSWORD, database: "postgres" };
}

async function initialise(
  initdb: string,
  user: ServerUser | undefined,
  directory: string,
  data: string,
): Promise<void> {
  const passwordFile = join(directory, "password");
  await writeFile(passwordFile, PASSWORD);
  await giveTo(user, passwordFile);
  const options = ["--auth=scram-sha-256", "--encoding=UTF8", "--locale=C", "--no-instructions"];
  await run(user, initdb, ["-D", data, "-U", "millrace", "--pwfile", passwordFile, ...options]);
}

async function run(user: ServerUser | undefined, file: string, args: string[]): Promise<void> {
  const child = spawnAs(user, file, args, { stdio: ["ignore", "ignore", "inherit"] });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`${file} ended with ${code}`);
}

function launchPostgres(
  postgres: string,
  user: ServerUser | undefined,
  data: string,
  settings: Record<string, string>,
): ChildProcess {
  const all = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: "200",
    synchronous_commit: "on",
    log_min_messages: "fatal",
    ...settings,
  };
  const args = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  return spawnAs(user, postgres, ["-D", data, ...args], { stdio: "ignore" });
}

async function end(server: ChildProcess, signal: "SIGQUIT" | "SIGKILL"): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exited = once(server, "exit");
  server.kill(signal);
  await exited;
}

/** How many rows the answer has. */
async function ask(connection: ClientConfig, sql: string): Promise<number | null> {
  const client = new Client({ ...connection, connectionTimeoutMillis: 2_000 });
  client.on("error", () => {});
  try {
    await client.connect();
    return (await client.query(sql)).rowCount;
  } finally {
    await client.end().catch(() => {});
  }
}
