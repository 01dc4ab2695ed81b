import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A network between a client and the service that a test can cut. */
export interface Wire {
  readonly url: string;
  /** Those that are open now. */
  readonly connections: number;
  /** Ends all connections; new ones are let through. */
  cut(): void;
  close(): Promise<void>;
}

export async function startWire(address: string): Promise<Wire> {
  const { hostname, port } = new URL(address);
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const service = connect(Number(port), hostname);
    open.add(client);
    const end = () => {
      open.delete(client);
      client.destroy();
      service.destroy();
    };
    for (const socket of [client, service]) socket.on("error", end).on("close", end);
    client.pipe(service).pipe(client);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const cut = () => {
    for (const client of open) client.destroy();
    open.clear();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get connections() {
      return open.size;
    },
    cut,
    close: async () => {
      cut();
      server.close();
      await once(server, "close");
    },
  };
}
