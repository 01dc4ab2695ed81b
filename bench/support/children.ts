import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

export interface Child {
  readonly pid: number;
  readonly process: ChildProcess;
  /** What it has written to stderr so far, the end of it. */
  complaints(): string;
  stop(): Promise<void>;
  kill(): Promise<void>;
}

const STOP_MS = 35_000;
const running = new Set<Child>();

/** Starts a Node process that is stopped with the benchmark, whatever happens to it. */
export function startNode(
  file: string,
  args: readonly string[],
  {
    nodeArgs = [],
    ...options
  }: { env?: Record<string, string>; nodeArgs?: readonly string[]; stdin?: string } = {},
): Child {
  return startProgram(process.execPath, [...nodeArgs, file, ...args], options);
}

/** The same for any program. */
export function startProgram(
  program: string,
  args: readonly string[],
  options: { env?: Record<string, string>; stdin?: string } = {},
): Child {
  const child = spawn(program, args, {
    // Nothing of the caller's settings: a DATABASE_URL in the shell must not be measured by accident.
    env: { PATH: process.env.PATH, ...options.env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let text = "";
  child.stderr.on("data", (chunk: Buffer) => {
    text = (text + chunk.toString()).slice(-8_000);
  });
  child.stdin.on("error", () => {});
  child.stdin.end(options.stdin ?? "");
  const exited = once(child, "exit");
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill(signal);
      const late = Symbol("late");
      if ((await Promise.race([exited, sleep(STOP_MS, late, { ref: false })])) === late) {
        child.kill("SIGKILL");
        await exited;
      }
    }
    running.delete(started);
  };
  const started: Child = {
    pid: child.pid!,
    process: child,
    complaints: () => text,
    stop: () => end("SIGTERM"),
    kill: () => end("SIGKILL"),
  };
  running.add(started);
  return started;
}

/** Runs a Node process to its end and gives back what it printed. */
export async function runNode(
  file: string,
  args: readonly string[],
  options: { env?: Record<string, string>; stdin?: string } = {},
): Promise<string> {
  const child = startNode(file, args, options);
  let output = "";
  child.process.stdout!.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  await once(child.process, "close");
  running.delete(child);
  if (child.process.exitCode !== 0) {
    throw new Error(`${file} ${args.join(" ")} failed: ${child.complaints().trim() || output.trim()}`);
  }
  return output;
}

/** What the processes that still run have complained about, for whoever has to find out why something failed. */
export function complaints(): string {
  return [...running].map((child) => child.complaints()).join("");
}

export async function stopChildren(): Promise<void> {
  await Promise.all([...running].map((child) => child.stop()));
}
