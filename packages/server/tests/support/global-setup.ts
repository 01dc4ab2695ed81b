import { readFileSync, rmSync } from "node:fs";
import { mkdtemp, rm, statfs } from "node:fs/promises";
import { freemem, tmpdir } from "node:os";
import { join } from "node:path";
import { Client, type ClientConfig } from "pg";
import type { TestProject } from "vitest/node";
import { embeddedConnection, type EmbeddedPaths, embeddedPaths } from "../../src/storage/embedded/paths.ts";
import { startEmbeddedServer } from "../../src/storage/embedded/server.ts";
import { migrate } from "../../src/storage/migrate.ts";
import { createPool } from "../../src/storage/pool.ts";
import { bundleProgram } from "./bundle-program.ts";
import { PROGRAM_VARIABLE } from "./program.ts";

declare module "vitest" {
  interface ProvidedContext {
    postgres: ClientConfig;
  }
}

/** One PostgreSQL for the whole run and one migrated template; every test file clones its own database from it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(await quickestDirectory(), "millrace-tests-"));
  const paths = embeddedPaths(directory);
  leaveNothing(paths);
  // Tests that need durability start a server of their own; here nothing outlives the run.
  const server = await startEmbeddedServer(paths, {
    fsync: "off",
    max_connections: "300",
    full_page_writes: "off",
  });
  const connection = await embeddedConnection(paths);
  const template = { ...connection, database: "millrace_template" };

  const admin = new Client(connection);
  await admin.connect();
  await admin.query(`CREATE DATABASE millrace_template`);
  await admin.end();
  const pool = createPool({ connection: template, size: 1, applicationName: "template" });
  await migrate(pool);
  await pool.end();

  process.env[PROGRAM_VARIABLE] = await bundleProgram(join(directory, "program"));
  project.provide("postgres", connection);
  return async () => {
    await server.stop();
    await rm(directory, { recursive: true, force: true });
  };
}

/** A run that is ended from outside is not torn down. */
function leaveNothing({ directory, cluster }: EmbeddedPaths): void {
  process.once("exit", () => {
    try {
      const [pid] = readFileSync(join(cluster, "postmaster.pid"), "utf8").split("\n");
      process.kill(Number(pid), "SIGQUIT");
    } catch {
      // It has been stopped.
    }
    rmSync(directory, { recursive: true, force: true });
  });
  process.once("SIGTERM", () => process.exit(143));
}

const MEMORY = "/dev/shm";
const ENOUGH_BYTES = 8 * 2 ** 30;

/** Memory, where a machine has plenty: making a database for a test and dropping it then takes half the time or less. */
async function quickestDirectory(): Promise<string> {
  const { bsize, bavail } = await statfs(MEMORY).catch(() => ({ bsize: 0, bavail: 0 }));
  return Math.min(bsize * bavail, freemem()) > ENOUGH_BYTES ? MEMORY : tmpdir();
}
