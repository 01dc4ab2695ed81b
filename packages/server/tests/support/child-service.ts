import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { ClientConfig } from "pg";
import { program as ownProgram } from "./program.ts";
import { testSecretKey } from "./service.ts";

export interface ChildService {
  readonly address: string;
  readonly pid: number;
  /** As long as it lives. */
  readonly exited: Promise<unknown>;
  signal(signal: "SIGKILL" | "SIGSTOP" | "SIGCONT" | "SIGTERM"): void;
  /** Ends it whatever state it is in. */
  end(): Promise<void>;
}

const living = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of living) child.kill("SIGKILL");
});

/** `millrace api` or `millrace worker` as people run it, of this release or another: a process of its own on a shared database. */
export async function startChildService(
  role: "api" | "worker",
  connection: ClientConfig | string,
  env: Record<string, string> = {},
  program = ownProgram,
): Promise<ChildService> {
  const child = spawn(process.execPath, [program, role], {
    env: { ...serviceEnv(connection), PORT: "0", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  living.add(child);
  const exited = once(child, "exit").finally(() => living.delete(child));
  // Handed on, not inherited: one that is left behind would keep whoever reads the output of the tests waiting for its end.
  child.stderr!.on("data", (chunk: Buffer) => process.stderr.write(chunk));
  return {
    address: await addressOf(child),
    pid: child.pid!,
    exited,
    signal: (signal) => void child.kill(signal),
    end: async () => {
      child.kill("SIGKILL");
      await exited;
    },
  };
}

/** What `millrace` needs to know to work on this database. */
export function serviceEnv(connection: ClientConfig | string): NodeJS.ProcessEnv {
  return {
    PATH: process.env["PATH"],
    DATABASE_URL: typeof connection === "string" ? connection : databaseUrl(connection),
    MILLRACE_SECRET_KEY: testSecretKey.toString("base64"),
    MILLRACE_EGRESS_ALLOW: "127.0.0.0/8",
    MILLRACE_REQUESTS_PER_MINUTE: "0",
    MILLRACE_LOG_FORMAT: "json",
  };
}

function databaseUrl({ host, port, user, password, database }: ClientConfig): string {
  const secret = encodeURIComponent(password as string);
  const where = host!.startsWith("/")
    ? `@/${database}?host=${encodeURIComponent(host!)}`
    : `@${host}:${port}/${database}`;
  return `postgres://${user}:${secret}${where}`;
}

/** The log says where it answers. */
function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const seen: string[] = [];
    createInterface({ input: child.stdout! }).on("line", (line) => {
      seen.push(line);
      const { address } = line.startsWith("{") ? (JSON.parse(line) as { address?: string }) : {};
      if (address) resolve(address);
    });
    child.once("exit", (code) =>
      reject(new Error(`millrace ended with ${code} before it answered: ${seen.join("\n")}`)),
    );
  });
}
