import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** The network between one process and PostgreSQL, which chaos breaks. */
export interface Proxy {
  readonly port: number;
  /** Ends every connection, or only those that listen for wake-ups. */
  cut(which?: "all" | "listening"): void;
  /** New connections are refused, the others end. */
  setRefusing(refusing: boolean): void;
  /** Nothing passes in either direction and nothing is closed, as when a cable is pulled. */
  setHalfOpen(halfOpen: boolean): void;
  setDelayMs(delayMs: number): void;
  /** Nothing comes back on connections that listen: every wake-up is lost, and nobody is told. */
  setSwallowingWakeUps(swallowing: boolean): void;
  /** The next answer on any connection is lost together with it: the caller cannot know what was committed. */
  loseNextAnswer(): void;
  heal(): void;
  close(): Promise<void>;
}

interface Link {
  readonly client: Socket;
  readonly server: Socket;
  listens: boolean;
}

export async function startProxy(socketPath: string): Promise<Proxy> {
  const links = new Set<Link>();
  const state = { refusing: false, halfOpen: false, delayMs: 0, swallowing: false, losing: false };

  const end = (link: Link) => {
    links.delete(link);
    link.client.destroy();
    link.server.destroy();
  };
  // Late chunks stay in order, also those that come after the delay was taken away.
  const late = new WeakMap<Socket, { tail: Promise<unknown>; count: number }>();
  const pass = (target: Socket, chunk: Buffer) => {
    const queue = late.get(target) ?? { tail: Promise.resolve(), count: 0 };
    if (state.delayMs === 0 && queue.count === 0) {
      target.write(chunk);
      return;
    }
    late.set(target, queue);
    queue.count += 1;
    const due = sleep(state.delayMs);
    queue.tail = queue.tail
      .then(() => due)
      .then(() => {
        queue.count -= 1;
        if (!target.destroyed) target.write(chunk);
      });
  };
  const halt = ({ client, server }: Link, halted: boolean) => {
    for (const socket of [client, server]) {
      if (halted) socket.pause();
      else socket.resume();
    }
  };

  const listener = createServer({ noDelay: true }, (client) => {
    if (state.refusing) {
      client.destroy();
      return;
    }
    const link: Link = { client, server: connect(socketPath), listens: false };
    links.add(link);
    for (const socket of [link.client, link.server]) {
      socket.on("error", () => end(link)).on("close", () => end(link));
    }
    client.on("data", (chunk: Buffer) => {
      if (chunk.includes("LISTEN ")) link.listens = true;
      pass(link.server, chunk);
    });
    link.server.on("data", (chunk: Buffer) => {
      if (state.losing && !link.listens) {
        state.losing = false;
        end(link);
      } else if (!(state.swallowing && link.listens)) pass(client, chunk);
    });
    if (state.halfOpen) halt(link, true);
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");

  const proxy: Proxy = {
    port: (listener.address() as AddressInfo).port,
    cut: (which = "all") => {
      for (const link of links) if (which === "all" || link.listens) end(link);
    },
    setRefusing: (refusing) => {
      state.refusing = refusing;
      if (refusing) proxy.cut();
    },
    setHalfOpen: (halfOpen) => {
      state.halfOpen = halfOpen;
      for (const link of links) halt(link, halfOpen);
    },
    setDelayMs: (delayMs) => {
      state.delayMs = delayMs;
    },
    setSwallowingWakeUps: (swallowing) => {
      state.swallowing = swallowing;
    },
    loseNextAnswer: () => {
      state.losing = true;
    },
    heal: () => {
      Object.assign(state, { refusing: false, delayMs: 0, swallowing: false, losing: false });
      proxy.setHalfOpen(false);
    },
    close: async () => {
      proxy.cut();
      listener.close();
      await once(listener, "close");
    },
  };
  return proxy;
}
