import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { EmbeddedPaths } from "./paths.ts";

/** A running PostgreSQL, whether this process has started it or found it. */
export interface Postmaster {
  kill(signal: "SIGINT" | "SIGQUIT"): void;
  readonly complaints: { text(): string };
  readonly exited: Promise<void>;
}

const LOOK_MS = 200;
const MAX_STOP_MS = 10_000;

/**
 * A postmaster that outlived its Millrace (kill -9, or the watchdog) goes on under the next one, so that such an end
 * costs no restart of the database. One with other settings, or in the middle of its own end, is stopped instead. The
 * caller holds the directory's lock.
 */
export async function adoptOrphan(
  paths: EmbeddedPaths,
  commandLine: readonly string[],
): Promise<Postmaster | undefined> {
  const orphan = await findOrphan(paths);
  if (!orphan) return undefined;
  if (orphan.status !== "ready" || orphan.commandLine !== toOpts(commandLine)) {
    await stopOrphan(paths);
    return undefined;
  }
  const { pid } = orphan;
  return {
    kill: (signal) => void sendSignal(pid, signal),
    complaints: { text: () => "" },
    exited: untilGone(paths, pid),
  };
}

export async function stopOrphan(paths: EmbeddedPaths): Promise<void> {
  const orphan = await findOrphan(paths);
  if (!orphan) return;
  for (const signal of ["SIGINT", "SIGQUIT"] as const) {
    if (!sendSignal(orphan.pid, signal)) return;
    for (let waitedMs = 0; waitedMs < MAX_STOP_MS; waitedMs += 50) {
      if (!(await isRunning(paths, orphan.pid))) return;
      await sleep(50);
    }
  }
}

interface Orphan {
  readonly pid: number;
  /** As PostgreSQL has written it: starting, ready, stopping. */
  readonly status: string;
  readonly commandLine: string;
}

async function findOrphan(paths: EmbeddedPaths): Promise<Orphan | undefined> {
  const text = await readFile(join(paths.cluster, "postmaster.pid"), "utf8").catch(() => "");
  const lines = text.split("\n");
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 1 || !(await isRunning(paths, pid))) return undefined;
  const commandLine = await readFile(join(paths.cluster, "postmaster.opts"), "utf8").catch(() => "");
  return { pid, status: lines[7]?.trim() ?? "", commandLine };
}

/** As PostgreSQL notes how it was started. */
function toOpts([program, ...args]: readonly string[]): string {
  return `${program}${args.map((arg) => ` "${arg}"`).join("")}\n`;
}

/** After a reboot the number may belong to somebody else: PostgreSQL itself then removes the stale file. */
async function isRunning(paths: EmbeddedPaths, pid: number): Promise<boolean> {
  if (!sendSignal(pid, 0)) return false;
  if (process.platform !== "linux") return true;
  // One that has ended and that nobody has collected has no command line any more.
  const commandLine = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
  return commandLine.includes(paths.cluster);
}

/** It is nobody's child any more, so that its end has to be looked for. */
async function untilGone(paths: EmbeddedPaths, pid: number): Promise<void> {
  while (await isRunning(paths, pid)) await sleep(LOOK_MS);
}

function sendSignal(pid: number, signal: "SIGINT" | "SIGQUIT" | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
