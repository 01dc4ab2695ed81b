import { createRequire } from "node:module";
import type { Socket } from "node:net";
import { dirname } from "node:path";
import {
  ConfinedProcess,
  isOutOfMemory,
  packageDirectory,
  type ChildDeath,
  type ConfinedProgram,
} from "../../children/confined-process.ts";
import { entryFile } from "../../package-files.ts";
import { UpstreamError } from "../upstream-error.ts";
import type { ChildMessage, ChildOutcome, ChildRequest, ForeignCall } from "./messages.ts";

type Reply = Extract<ChildMessage, { kind: "reply" }>;

/** One child process, seen from the service. It serves several calls of one credential at once. */
export class ForeignChild {
  readonly #process: ConfinedProcess<ChildRequest, ChildMessage>;
  readonly #replies = new Map<number, (outcome: ChildOutcome) => void>();
  #lastId = 0;
  rssBytes = 0;

  constructor() {
    this.#process = new ConfinedProcess(program(), (message: ChildMessage) => {
      if (message.kind === "reply") this.#settle(message);
    });
  }

  get ready() {
    return this.#process.ready;
  }

  get died() {
    return this.#process.died;
  }

  /** Hands the socket over. Settles with the reply; a child that dies instead is told by `died`. */
  call(
    call: ForeignCall,
    maxMs: number,
    extraCa: readonly string[],
    socket: Socket,
  ): { id: number; reply: Promise<ChildOutcome> } {
    const id = (this.#lastId += 1);
    const { promise: reply, resolve } = Promise.withResolvers<ChildOutcome>();
    this.#replies.set(id, resolve);
    this.#process.send({ kind: "call", id, call, maxMs, extraCa }, socket);
    return { id, reply };
  }

  cancel(id: number, socket: Socket | undefined): void {
    this.#process.send({ kind: "cancel", id }, socket);
  }

  kill(): void {
    this.#process.kill();
  }

  #settle({ id, outcome, rssBytes }: Reply): void {
    this.rssBytes = rssBytes;
    this.#replies.get(id)?.(outcome);
    this.#replies.delete(id);
  }
}

/** What the death of a child says about the server it spoke with: a healthy one never causes it. */
export function deathError({ protocol, host }: ForeignCall, death: ChildDeath): UpstreamError {
  const name = protocol === "postgres" ? "DatabaseUnavailable" : "MailServerUnavailable";
  const what = isOutOfMemory(death) ? "more than can be taken in" : "what could not be read";
  const outcome = protocol === "postgres" ? "; outcome: unknown" : "";
  return new UpstreamError(name, `${host} sent ${what}, and the connection was ended${outcome}.`);
}

function program(): ConfinedProgram {
  const require = createRequire(import.meta.url);
  return {
    entryFile: entryFile("child", import.meta.url),
    // The driver is a dozen packages.
    readable: ["pg", "nodemailer"].map((name) => dirname(packageDirectory(require.resolve(name), name))),
    flags: ["--max-old-space-size=160"],
    limits: { maxRssBytes: 384 * 1024 * 1024, maxBusyCpuMs: 2_000 },
  };
}
