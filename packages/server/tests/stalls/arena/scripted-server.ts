import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import type { Script } from "../case.ts";
import { bytesOf } from "../bytes.ts";

/** Whoever sends for ever would otherwise do so when nobody listens any more. */
const MAX_SENT_BYTES = 64 * 1024 * 1024;
/** A client that sends its request in several pieces is answered once. */
const MAX_KEPT = 100_000;
const SETTLE_MS = 3;

/** A server of a foreign protocol on loopback that follows whatever script it was given last. */
export class ScriptedServer {
  readonly port: number;
  readonly #close: () => Promise<void>;
  readonly #sockets = new Set<Socket>();
  #script: Script = { replies: [], end: "close" };
  #connections = 0;
  #received = "";

  private constructor(port: number, close: () => Promise<void>) {
    this.port = port;
    this.#close = close;
  }

  static async listen(): Promise<ScriptedServer> {
    const server = createServer({ noDelay: true }, (socket) => scripted.#converse(socket));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const scripted: ScriptedServer = new ScriptedServer((server.address() as AddressInfo).port, async () => {
      scripted.#cut();
      server.close();
      await once(server, "close");
    });
    return scripted;
  }

  /** How many came since the script was given. */
  get connections(): number {
    return this.#connections;
  }

  /** The end of all that was sent to it since then. */
  get received(): string {
    return this.#received;
  }

  follow(script: Script): void {
    this.#cut();
    this.#script = script;
    this.#connections = 0;
    this.#received = "";
  }

  close(): Promise<void> {
    return this.#close();
  }

  #cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #converse(socket: Socket): void {
    const script = this.#script;
    let replies = 0;
    let sentBytes = 0;
    let settled: NodeJS.Timeout | undefined;
    this.#connections += 1;
    this.#sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => {
      clearTimeout(settled);
      this.#sockets.delete(socket);
    });
    if (script.greeting) void send(bytesOf(script.greeting));
    socket.on("data", (chunk) => {
      this.#received = (this.#received + chunk.toString("latin1")).slice(-MAX_KEPT);
      clearTimeout(settled);
      settled = setTimeout(() => void reply(), SETTLE_MS);
    });

    const kept = () => this.#received;

    async function reply(): Promise<void> {
      const parts = script.replies[replies] ?? (script.end === "again" ? script.replies.at(-1) : undefined);
      replies += 1;
      if (!parts) return;
      const id = [...kept().matchAll(/"id":\s*("[^"]*"|\d+)/g)].at(-1)?.[1] ?? "1";
      const bytes = bytesOf(parts);
      await send(bytes.includes("$ID") ? Buffer.from(bytes.toString("utf8").replaceAll("$ID", id)) : bytes);
      if (replies < script.replies.length) return;
      await drip();
      if (script.end === "close") socket.end();
      if (script.end === "reset") socket.resetAndDestroy();
    }

    async function drip(): Promise<void> {
      if (!script.drip) return;
      const bytes = bytesOf(script.drip.parts);
      for (let sent = 0; sent < script.drip.times && !socket.destroyed; sent++) {
        await send(bytes);
        await sleep(1);
      }
    }

    async function send(bytes: Buffer): Promise<void> {
      const size = script.chunkBytes ?? Math.max(1, bytes.length);
      for (let at = 0; at < bytes.length && !socket.destroyed; at += size) {
        sentBytes += size;
        if (sentBytes > MAX_SENT_BYTES) return;
        const piece = bytes.subarray(at, at + size);
        if (!socket.write(piece)) await untilDrained(socket);
        // Otherwise the pieces arrive as one.
        else if (script.chunkBytes !== undefined) await setImmediate();
      }
    }
  }
}

function untilDrained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      socket.off("drain", done).off("close", done);
      resolve();
    };
    socket.on("drain", done).on("close", done);
  });
}
