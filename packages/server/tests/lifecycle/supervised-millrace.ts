import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Pool } from "pg";
import { embeddedConnection, embeddedPaths } from "../../src/storage/embedded/paths.ts";
import { type ChildMillrace, freePort, runMillrace, temporaryDirectory } from "../support/child-millrace.ts";
import { source } from "../support/program.ts";
import { until } from "../support/runs-until.ts";

/** A data directory, and `millrace start` on it as people run it: a supervisor, a service, a PostgreSQL. */
export interface SupervisedMillrace {
  readonly url: string;
  readonly dataDirectory: string;
  start(env?: Record<string, string>): Promise<ChildMillrace>;
  command(...args: string[]): Promise<string>;
  /** Straight to its PostgreSQL. */
  pool(): Promise<Pool>;
  postmasterStartedAt(): Promise<string>;
  /** Whatever is left of what it has started. */
  stopAll(): Promise<void>;
  remove(): Promise<void>;
}

export async function prepareMillrace(): Promise<SupervisedMillrace> {
  const directory = await temporaryDirectory();
  const dataDirectory = join(directory.path, "data");
  const port = String(await freePort());
  const base = {
    MILLRACE_DATA_DIR: dataDirectory,
    PORT: port,
    MILLRACE_DEMO: "off",
    MILLRACE_LOG_FORMAT: "json",
  };
  const started: ChildMillrace[] = [];
  let pool: Pool | undefined;
  const openPool = async () => {
    if (!pool) {
      pool = new Pool({ ...(await embeddedConnection(embeddedPaths(dataDirectory))), max: 2 });
      pool.on("error", () => {});
    }
    return pool;
  };
  const stopAll = async () => {
    for (const child of started.splice(0)) {
      child.process.kill("SIGTERM");
      await child.exited();
    }
  };
  return {
    url: `http://127.0.0.1:${port}`,
    dataDirectory,
    start: async (env = {}) => {
      // From the sources, whose names a stack then tells.
      const child = runMillrace(["start"], { ...base, MILLRACE_EGRESS_ALLOW: "127.0.0.0/8", ...env }, source);
      started.push(child);
      await child.ready();
      return child;
    },
    command: async (...args) => {
      const child = runMillrace(args, base);
      const code = await child.exited();
      if (code !== 0) throw new Error(child.output());
      return child.output();
    },
    pool: openPool,
    postmasterStartedAt: async () => {
      const { rows } = await (await openPool()).query(`SELECT pg_postmaster_start_time()::text AS at`);
      return rows[0].at;
    },
    stopAll,
    remove: async () => {
      await pool?.end();
      await stopAll();
      await directory.remove();
    },
  };
}

/** The service that a supervisor has started. */
export async function servicePid(supervisor: ChildMillrace): Promise<number> {
  const { pid } = supervisor.process;
  return until("there is a service process", async () => {
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
    return Number(children.trim().split(" ")[0]) || undefined;
  });
}

export async function postmasterPid(dataDirectory: string): Promise<number> {
  const text = await readFile(join(dataDirectory, "postgres", "postmaster.pid"), "utf8");
  return Number(text.split("\n")[0]);
}

/** Not ended; one whose end nobody has collected is gone all the same. */
export async function isAlive(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  return stat !== undefined && !/\) [ZX] /.test(stat);
}

/** Lines of the log, in order. */
export function logOf(child: ChildMillrace): Record<string, unknown>[] {
  return child
    .output()
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
