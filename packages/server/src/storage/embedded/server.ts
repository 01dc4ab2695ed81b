import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { findPostgresBinaries } from "./binaries.ts";
import { adoptOrphan, type Postmaster, stopOrphan } from "./orphan.ts";
import { statement } from "../statement.ts";
import { embeddedConnection, type EmbeddedPaths, passwordFor } from "./paths.ts";
import { openSocketDirectory } from "./socket-directory.ts";
import { chooseServerUser, giveTo, type ServerUser, spawnAs } from "./unprivileged.ts";

export interface EmbeddedServer {
  stop(): Promise<void>;
}

const RESTART_PAUSE_MS = 300;

// Durable by default: an acknowledged run survives a power cut. The rest suits a queue on a small machine.
const SETTINGS: Record<string, string> = {
  listen_addresses: "",
  unix_socket_permissions: "0700",
  max_connections: "100",
  fsync: "on",
  synchronous_commit: "on",
  full_page_writes: "on",
  shared_buffers: "128MB",
  max_wal_size: "2GB",
  autovacuum_naptime: "10s",
  jit: "off",
  log_min_messages: "warning",
  log_checkpoints: "off",
};

export async function startEmbeddedServer(
  paths: EmbeddedPaths,
  overrides: Record<string, string> = {},
): Promise<EmbeddedServer> {
  const binaries = findPostgresBinaries();
  await mkdir(paths.directory, { recursive: true, mode: 0o700 });
  const user = await chooseServerUser(paths.directory, [paths.directory, binaries.postgres]);
  await openSocketDirectory(paths);
  await giveTo(user, paths.sockets);
  const password = await passwordFor(paths);
  await initialiseOnce(paths, password, user, binaries.initdb);

  const settings = { ...SETTINGS, unix_socket_directories: paths.sockets, ...overrides };
  const args = [
    "-D",
    paths.cluster,
    ...Object.entries(settings).flatMap(([key, value]) => ["-c", `${key}=${value}`]),
  ];
  const launch = (): Postmaster => {
    // Its own session: Ctrl-C reaches Millrace alone, which then stops PostgreSQL last.
    const child = spawnAs(user, binaries.postgres, args, {
      stdio: ["ignore", "ignore", "pipe"],
      detached: true,
      env: {},
    });
    return {
      kill: (signal) => void child.kill(signal),
      complaints: collectStderr(child),
      exited: once(child, "exit").then(() => {}),
    };
  };
  const start = async (): Promise<Postmaster> =>
    (await adoptOrphan(paths, [binaries.postgres, ...args])) ?? launch();

  let postmaster = await start();
  try {
    await waitUntilReady(paths, postmaster);
  } catch (error) {
    postmaster.kill("SIGQUIT");
    throw error;
  }

  let stopping = false;
  const keepAlive = async (): Promise<void> => {
    for (;;) {
      await postmaster.exited;
      if (stopping) return;
      // Killed from outside, or out of memory: the service answers 503 until it is back.
      await sleep(RESTART_PAUSE_MS);
      if (stopping) return;
      postmaster = await start();
      if (stopping) postmaster.kill("SIGINT");
    }
  };
  const kept = keepAlive();

  return {
    stop: async () => {
      stopping = true;
      postmaster.kill("SIGINT");
      const stopped = await Promise.race([kept.then(() => true), sleep(20_000, false, { ref: false })]);
      if (!stopped) postmaster.kill("SIGQUIT");
      await kept;
    },
  };
}

async function initialiseOnce(
  paths: EmbeddedPaths,
  password: string,
  user: ServerUser | undefined,
  initdb: string,
): Promise<void> {
  const finished = await readFile(paths.initialised, "utf8").catch(() => undefined);
  if (finished !== undefined) {
    // Restored from a backup or copied by root: the owner must be the user the server runs as.
    return giveTo(user, paths.cluster);
  }
  // A first start that was cut off half-way leaves nothing worth keeping.
  await stopOrphan(paths);
  await rm(paths.cluster, { recursive: true, force: true });
  await mkdir(paths.cluster, { mode: 0o700 });
  await giveTo(user, paths.cluster);
  const passwordFile = join(paths.sockets, "initdb-password");
  await writeFile(passwordFile, password, { mode: 0o600 });
  await giveTo(user, passwordFile);
  try {
    const args = ["-D", paths.cluster, "-U", "millrace", "--pwfile", passwordFile, "--auth=scram-sha-256"];
    const options = ["--encoding=UTF8", "--locale=C", "--no-instructions"];
    const child = spawnAs(user, initdb, [...args, ...options], {
      stdio: ["ignore", "ignore", "pipe"],
      env: {},
    });
    const complaints = collectStderr(child);
    const [code] = (await once(child, "exit")) as [number | null];
    if (code !== 0)
      throw new Error(`PostgreSQL's initdb failed in ${paths.cluster}: ${complaints.text().trim()}`);
  } finally {
    await rm(passwordFile, { force: true });
  }
  await writeFile(paths.initialised, new Date().toISOString());
}

const FIND_DATABASE = statement({ text: `SELECT FROM pg_database WHERE datname = 'millrace'` });
const CREATE_DATABASE = statement({ text: `CREATE DATABASE millrace` });

async function waitUntilReady(paths: EmbeddedPaths, { exited, complaints }: Postmaster): Promise<void> {
  let gone = false;
  void exited.then(() => {
    gone = true;
  });
  const deadlineMs = performance.now() + 60_000;
  for (;;) {
    if (gone) throw new Error(`PostgreSQL did not start in ${paths.cluster}: ${complaints.text().trim()}`);
    const client = new Client({ ...(await embeddedConnection(paths)), database: "postgres" });
    // A server that goes away between connect and end must not end this process.
    client.on("error", () => {});
    try {
      await client.connect();
      const { rowCount } = await client.query(FIND_DATABASE());
      if (rowCount === 0) await client.query(CREATE_DATABASE());
      return;
    } catch (error) {
      if (performance.now() > deadlineMs) throw error;
      await sleep(10);
    } finally {
      await client.end().catch(() => {});
    }
  }
}

function collectStderr(child: ChildProcess): { text(): string } {
  let text = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    text = (text + chunk.toString()).slice(-4_000);
  });
  return { text: () => text };
}
