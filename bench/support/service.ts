import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type Child, runNode, startNode } from "./children.ts";
import type { BenchDatabase, Cluster } from "./cluster.ts";
import { freePort } from "./free-port.ts";

const CHECKOUT = fileURLToPath(import.meta.resolve("../.."));
const READY_MS = 30_000;

export interface BenchProcess {
  readonly port: number;
  readonly child: Child;
}

/** A database with a workspace in it, and the processes that serve it. */
export interface Installation {
  readonly database: BenchDatabase;
  cli(...args: string[]): Promise<string>;
  apply(documents: readonly object[]): Promise<void>;
  createKey(organizationId: string): Promise<string>;
  start(role: "start" | "api" | "worker", env?: Record<string, string>): Promise<BenchProcess>;
  /** Stops what it started and drops the database. */
  remove(): Promise<void>;
}

export async function install(
  cluster: Cluster,
  name: string,
  options: { profileDirectory?: string; checkout?: string } = {},
): Promise<Installation> {
  const { checkout = CHECKOUT } = options;
  const program = join(checkout, "packages/server/bin/millrace.js");
  const database = await cluster.createDatabase(name);
  const env = {
    DATABASE_URL: database.url,
    MILLRACE_SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
    MILLRACE_DATA_DIR: join(cluster.directory, name),
    MILLRACE_REQUESTS_PER_MINUTE: "0",
    MILLRACE_BAD_KEYS_PER_MINUTE: "0",
    MILLRACE_LOG_LEVEL: "warn",
    MILLRACE_LOG_FORMAT: "json",
    MILLRACE_DEMO: "off",
    // The process that is started is the one that is measured.
    MILLRACE_SUPERVISE: "off",
    MILLRACE_EGRESS_ALLOW: "127.0.0.0/8",
  };
  const cli = (...args: string[]) => runNode(program, args, { env });
  await cli("migrate");
  const started: Child[] = [];
  return {
    database,
    cli,
    apply: async (documents) => {
      const file = join(cluster.directory, `${name}.yaml`);
      await writeFile(file, documents.map((document) => JSON.stringify(document)).join("\n---\n"));
      const report = await cli("apply", file);
      if (report.includes(": error:")) throw new Error(report);
    },
    createKey: async (organizationId) =>
      (JSON.parse(await cli("keys", "create", "--org", organizationId, "--json")) as { key: string }).key,
    start: async (role, more = {}) => {
      const port = await freePort();
      const { NODE_ARGS, MEMORY_ENVIRONMENT } = await startedAs(checkout);
      const nodeArgs = [
        ...NODE_ARGS,
        ...(options.profileDirectory
          ? [
              "--cpu-prof",
              `--cpu-prof-dir=${options.profileDirectory}`,
              `--cpu-prof-name=${name}-${role}-${port}.cpuprofile`,
            ]
          : []),
      ];
      const child = startNode(program, [role], {
        env: { ...MEMORY_ENVIRONMENT, ...env, PORT: String(port), ...more },
        nodeArgs,
      });
      child.process.stdout!.resume();
      started.push(child);
      await untilReady(port, child);
      return { port, child };
    },
    remove: async () => {
      await Promise.all(started.map((child) => child.stop()));
      await database.drop();
    },
  };
}

/** As its supervisor would start it; earlier releases had nothing to say. */
async function startedAs(checkout: string): Promise<StartedAs> {
  const file = join(checkout, "packages/server/bin/node-args.js");
  const said = existsSync(file) ? ((await import(pathToFileURL(file).href)) as Partial<StartedAs>) : {};
  return { NODE_ARGS: [], MEMORY_ENVIRONMENT: {}, ...said };
}

interface StartedAs {
  readonly NODE_ARGS: readonly string[];
  readonly MEMORY_ENVIRONMENT: Readonly<Record<string, string>>;
}

async function untilReady(port: number, child: Child): Promise<void> {
  const endAtMs = performance.now() + READY_MS;
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.status === 200) return;
    if (child.process.exitCode !== null || performance.now() > endAtMs) {
      throw new Error(`Millrace did not start: ${child.complaints()}`);
    }
    await sleep(50);
  }
}
