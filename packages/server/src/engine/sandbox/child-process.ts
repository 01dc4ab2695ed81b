import { createRequire } from "node:module";
import { ConfinedProcess, packageDirectory, type ConfinedProgram } from "../../children/confined-process.ts";
import { entryFile } from "../../package-files.ts";
import type { ChildMessage, ChildReply, ChildRequest } from "./protocol.ts";

const libraries = ["quickjs-wasi", "jsonata", "re2js", "zod"];

/** One child process, seen from the service. It serves one call at a time. */
export class SandboxChild {
  readonly #process: ConfinedProcess<ChildRequest, ChildMessage>;
  calls = 0;
  #onReply: ((reply: ChildReply) => void) | undefined;

  constructor() {
    this.#process = new ConfinedProcess(program(), (message: ChildMessage) => {
      if (message.kind === "reply") this.#onReply?.(message);
    });
  }

  get ready() {
    return this.#process.ready;
  }

  get died() {
    return this.#process.died;
  }

  /** Settles with the reply; a child that dies instead is told by `died`. */
  call(request: ChildRequest): Promise<ChildReply> {
    this.calls += 1;
    return new Promise((resolve) => {
      this.#onReply = resolve;
      this.#process.send(request);
    });
  }

  kill(): void {
    this.#process.kill();
  }
}

function program(): ConfinedProgram {
  const require = createRequire(import.meta.url);
  return {
    entryFile: entryFile("child", import.meta.url),
    readable: libraries.map((name) => packageDirectory(require.resolve(name), name)),
    flags: [
      "--max-old-space-size=96",
      "--max-semi-space-size=2",
      // For the memory of virtual machines that were dropped: V8 itself is in no hurry with what lies outside of its heap.
      "--expose-gc",
      // Room for the guest's whole stack, so that it overflows in the guest and not in the host.
      "--stack-size=3900",
    ],
    // The start takes half of it, V8's heap or the memory of a guest at its limit the other half.
    limits: { maxRssBytes: 208 * 1024 * 1024 },
  };
}
