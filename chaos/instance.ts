import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { type Proxy, startProxy } from "./proxy.ts";
import { program } from "../packages/server/tests/support/program.ts";

export type Role = "api" | "worker";

export interface InstanceOptions {
  readonly socketPath: string;
  /** Makes the role by which the recorder knows this process. */
  readonly createRole: (name: string) => Promise<void>;
  readonly databaseUrl: (user: string, port: number) => string;
  readonly env: Record<string, string>;
  readonly logDirectory: string;
}

export interface Instance {
  /** Also the name of its database role. */
  readonly name: string;
  readonly role: Role;
  readonly pid: number;
  readonly url: string;
  readonly proxy: Proxy;
  readonly alive: boolean;
  /** Whether this end was asked for. */
  readonly told: boolean;
  /** How it ended. */
  readonly exited: Promise<string>;
  signal(signal: "SIGKILL" | "SIGSTOP" | "SIGCONT" | "SIGTERM"): void;
  end(): Promise<void>;
}

/** Only bounds hanging: where they were killed for being slow, a crowded machine would start them for ever. */
const READY_MS = 120_000;
const CLOCK_SKEW = import.meta.resolve("./clock-skew.ts");

/** `millrace api` or `millrace worker` as people run it; undefined where it ended before it answered. */
export async function startInstance(
  options: InstanceOptions & { name: string; role: Role; skewMs: number },
): Promise<Instance | undefined> {
  const { name, role, skewMs, socketPath, env, logDirectory } = options;
  await options.createRole(name);
  const proxy = await startProxy(socketPath);
  const skew = skewMs === 0 ? [] : ["--import", CLOCK_SKEW];
  const child = spawn(process.execPath, [...skew, program, role], {
    env: {
      PATH: process.env["PATH"],
      ...env,
      DATABASE_URL: options.databaseUrl(name, proxy.port),
      CHAOS_CLOCK_SKEW_MS: String(skewMs),
      PORT: "0",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let alive = true;
  let told = false;
  const exited = once(child, "exit").then(async ([code, signal]) => {
    alive = false;
    await proxy.close();
    return `code ${code as number | null}, signal ${signal as string | null}`;
  });
  const log = createWriteStream(join(logDirectory, `${name}.log`));
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  void exited.then(() => log.end());

  const address = new Promise<string>((resolve) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const found = /"address":"([^"]+)"/.exec(line)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
  const url = await Promise.race([
    address,
    exited.then(() => undefined),
    sleep(READY_MS, undefined, { ref: false }),
  ]);
  if (url === undefined) {
    child.kill("SIGKILL");
    await exited;
    return undefined;
  }
  return {
    name,
    role,
    pid: child.pid!,
    url,
    proxy,
    get alive() {
      return alive;
    },
    get told() {
      return told;
    },
    exited,
    signal: (signal) => {
      if (signal === "SIGKILL" || signal === "SIGTERM") told = true;
      child.kill(signal);
    },
    end: async () => {
      told = true;
      child.kill("SIGKILL");
      await exited;
    },
  };
}
