import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import type { ClientConfig } from "pg";

/** A network between a service and PostgreSQL that a test can break. */
export interface TcpProxy {
  readonly connection: ClientConfig;
  /**
   * The next request that contains `text` reaches the database and is carried out; the connection is lost before its
   * answer comes back. Resolves when that has happened.
   */
  loseAnswerTo(text: string): Promise<void>;
  /**
   * The process behind this network stops right after it has sent so many more requests: the database carries the last
   * one out, and hears no more. Resolves when that has happened; `plugIn` lets it go on.
   */
  freezeAfter(requests: number): Promise<void>;
  /** From now on nothing comes back on connections that listen: every wake-up is lost, and nobody is told. */
  swallowWakeUps(): void;
  /** Nothing passes in either direction and nothing is closed, as when a cable is pulled. */
  pullCable(): void;
  plugIn(): void;
  close(): Promise<void>;
}

interface Link {
  readonly client: Socket;
  readonly server: Socket;
  listens: boolean;
  losing: boolean;
}

export async function startTcpProxy(target: ClientConfig): Promise<TcpProxy> {
  const links = new Set<Link>();
  let pulled = false;
  let swallowing = false;
  let freeze: { left: number; done: () => void } | undefined;
  let lose: { text: string; done: () => void } | undefined;

  const proxy = createServer((client) => {
    const server = connect(`${target.host}/.s.PGSQL.${target.port ?? 5432}`);
    const link: Link = { client, server, listens: false, losing: false };
    links.add(link);
    const end = () => {
      links.delete(link);
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) socket.on("error", end).on("close", end);
    if (pulled) pause(link);
    client.on("data", (chunk) => {
      if (chunk.includes("LISTEN ")) link.listens = true;
      if (lose && chunk.includes(lose.text)) link.losing = true;
      server.write(chunk);
      if (freeze && !link.listens && (freeze.left -= 1) <= 0) {
        pullCable();
        freeze.done();
        freeze = undefined;
      }
    });
    server.on("data", (chunk) => {
      if (link.losing) {
        const lost = lose;
        lose = undefined;
        end();
        lost?.done();
      } else if (!(link.listens && swallowing)) client.write(chunk);
    });
  });
  const pause = ({ client, server }: Link) => {
    client.pause();
    server.pause();
  };
  const pullCable = () => {
    pulled = true;
    for (const link of links) pause(link);
  };
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  return {
    connection: { ...target, host: "127.0.0.1", port: (proxy.address() as AddressInfo).port },
    loseAnswerTo: (text) =>
      new Promise((done) => {
        lose = { text, done };
      }),
    swallowWakeUps: () => {
      swallowing = true;
    },
    freezeAfter: (requests) =>
      new Promise((done) => {
        freeze = { left: requests, done };
      }),
    pullCable,
    plugIn: () => {
      pulled = false;
      for (const { client, server } of links) {
        client.resume();
        server.resume();
      }
    },
    close: async () => {
      for (const { client, server } of links) {
        client.destroy();
        server.destroy();
      }
      proxy.close();
      await once(proxy, "close");
    },
  };
}
