import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { program as ownProgram } from "./program.ts";

export interface ChildMillrace {
  readonly process: ChildProcess;
  readonly url: string;
  /** Everything printed so far, both streams. */
  output(): string;
  /** Waits until `/readyz` answers 200, or throws with the output once the process is gone. */
  ready(): Promise<void>;
  exited(): Promise<number | null>;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}

/** The real command in a process of its own; nothing of this process's environment reaches it but PATH. */
export function runMillrace(
  args: readonly string[],
  env: Record<string, string>,
  program = ownProgram,
): ChildMillrace {
  const child = spawn(process.execPath, [program, ...args], { env: { PATH: process.env.PATH, ...env } });
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (text += chunk.toString()));
  const exit = once(child, "exit").then(([code]) => code as number | null);
  const url = `http://127.0.0.1:${env["PORT"] ?? 4000}`;
  return {
    process: child,
    url,
    output: () => text,
    exited: () => exit,
    async ready() {
      for (;;) {
        if (child.exitCode !== null || child.signalCode !== null)
          throw new Error(`millrace ${args.join(" ")} ended: ${text}`);
        const answer = await fetch(`${url}/readyz`).catch(() => undefined);
        if (answer?.status === 200) return;
        await sleep(20);
      }
    },
  };
}

/** A directory that is gone after the test. */
export async function temporaryDirectory(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), "millrace-test-"));
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
}
