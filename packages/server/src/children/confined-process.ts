import { fork, type ChildProcess } from "node:child_process";
import type { Socket } from "node:net";
import { dirname, join } from "node:path";

export interface ChildLimits {
  /** All memory of the process; a child above it is ended as by V8 when its heap is full. */
  readonly maxRssBytes: number;
  /** Processor time that may pass without a turn of the child's event loop. Without it, only the caller's wall holds. */
  readonly maxBusyCpuMs?: number;
}

export interface ConfinedProgram {
  readonly entryFile: string;
  /** The only files and directories that the process may read, besides its own directory. */
  readonly readable: readonly string[];
  readonly flags: readonly string[];
  readonly limits: ChildLimits;
}

/** Why a child did not answer; `null` signal and code where it could not be started. */
export interface ChildDeath {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

/**
 * A child process for what must not run in the service: no environment, no files but its own program, no children,
 * limits that a thread beside it watches over, and a SIGKILL from here when in doubt.
 */
export class ConfinedProcess<Request, Message extends { readonly kind: string }> {
  readonly #process: ChildProcess;
  readonly ready: Promise<void>;
  readonly died: Promise<ChildDeath>;

  constructor(program: ConfinedProgram, onMessage: (message: Message) => void) {
    const directory = dirname(program.entryFile);
    this.#process = fork(program.entryFile, [String(process.pid), JSON.stringify(program.limits)], {
      cwd: directory,
      env: {},
      execArgv: flagsOf(program, directory),
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      serialization: "advanced",
    });
    // An idle child never keeps the service from ending; while a call runs, its timer does.
    this.#process.unref();
    this.#process.channel?.unref();
    this.died = new Promise((resolve) => {
      this.#process.once("exit", (exitCode, signal) => resolve({ exitCode, signal }));
      this.#process.once("error", () => resolve({ exitCode: null, signal: null }));
    });
    this.ready = new Promise((resolve) => {
      this.#process.on("message", (message: Message) => {
        if (message.kind === "ready") resolve();
        else onMessage(message);
      });
    });
  }

  /** A failed send means a dying child, and `died` speaks for it. A socket is handed over: it is no longer ours. */
  send(request: Request, socket?: Socket): void {
    this.#process.send(request as object, socket, {}, () => {});
  }

  /** Keeps this process alive until the child is gone, so that somebody takes note. */
  kill(): void {
    this.#process.ref();
    this.#process.kill("SIGKILL");
  }
}

/** V8 aborts the process when its heap is full, and the watchdog does when its memory is; nothing else does. */
export function isOutOfMemory({ exitCode, signal }: ChildDeath): boolean {
  return signal === "SIGABRT" || signal === "SIGTRAP" || exitCode === 134;
}

/** The watchdog ends a process that needs more processor time than its request may have. */
export function isOutOfTime({ signal }: ChildDeath): boolean {
  return signal === "SIGXCPU";
}

/** The directory of an installed package, from the path of one of its files. */
export function packageDirectory(entryFile: string, name: string): string {
  const marker = join("node_modules", name);
  return entryFile.slice(0, entryFile.lastIndexOf(marker) + marker.length);
}

function flagsOf({ readable, flags }: ConfinedProgram, directory: string): string[] {
  return [
    "--permission",
    ...[directory, import.meta.dirname, ...readable].map((path) => `--allow-fs-read=${path}`),
    // For the watchdog alone.
    "--allow-worker",
    "--no-addons",
    "--disable-proto=delete",
    "--disallow-code-generation-from-strings",
    "--no-warnings",
    ...flags,
  ];
}
