import { fork, type ChildProcess } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { ChildMessage, ChildReply, ChildRequest } from "./protocol.ts";

const sandboxDirectory = import.meta.dirname;
const libraries = ["quickjs-wasi", "jsonata", "re2js"];

/** Why a child did not answer; `null` signal and code where it could not be started. */
export interface ChildDeath {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** One child process, seen from the service. It serves one call at a time. */
export class SandboxChild {
  readonly #process: ChildProcess;
  readonly ready: Promise<void>;
  readonly died: Promise<ChildDeath>;
  calls = 0;
  #onReply: ((reply: ChildReply) => void) | undefined;

  constructor() {
    this.#process = fork(join(sandboxDirectory, "child.ts"), [String(process.pid)], {
      cwd: sandboxDirectory,
      env: {},
      execArgv: childFlags(),
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
      this.#process.on("message", (message: ChildMessage) => {
        if (message.kind === "ready") resolve();
        else this.#onReply?.(message);
      });
    });
  }

  /** Settles with the reply; a child that dies instead is told by `died`. */
  call(request: ChildRequest): Promise<ChildReply> {
    this.calls += 1;
    return new Promise((resolve) => {
      this.#onReply = resolve;
      // A failed send means a dying child, and `died` speaks for it.
      this.#process.send(request, () => {});
    });
  }

  /** Keeps this process alive until the child is gone, so that somebody takes note. */
  kill(): void {
    this.#process.ref();
    this.#process.kill("SIGKILL");
  }
}

function childFlags(): string[] {
  const require = createRequire(import.meta.url);
  const readable = [
    sandboxDirectory,
    ...libraries.map((name) => packageDirectory(require.resolve(name), name)),
  ];
  return [
    "--permission",
    ...readable.map((path) => `--allow-fs-read=${path}`),
    // For the watchdog alone.
    "--allow-worker",
    "--no-addons",
    "--disable-proto=delete",
    "--disallow-code-generation-from-strings",
    "--max-old-space-size=96",
    // Room for the guest's whole stack, so that it overflows in the guest and not in the host.
    "--stack-size=3900",
    "--no-warnings",
  ];
}

function packageDirectory(entryFile: string, name: string): string {
  const marker = join("node_modules", name);
  return entryFile.slice(0, entryFile.lastIndexOf(marker) + marker.length);
}
