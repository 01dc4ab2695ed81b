import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";

export interface HostileServer {
  readonly port: number;
  /** Connections ever accepted. */
  accepted(): number;
  close(): Promise<void>;
}

/** A server on loopback that does to each connection what the script says; whatever the other side does is no error. */
export async function startHostileServer(script: (socket: Socket) => void): Promise<HostileServer> {
  const sockets = new Set<Socket>();
  let accepted = 0;
  const server = createServer((socket) => {
    accepted += 1;
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    script(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    accepted: () => accepted,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** Writes for as long as the connection lives, as fast as it is read. */
export function flood(socket: Socket, first: Uint8Array | string, chunk: Uint8Array | string): void {
  const many = Buffer.concat(
    Array.from({ length: Math.ceil(65_536 / chunk.length) }, () => Buffer.from(chunk)),
  );
  socket.write(first);
  const more = () => {
    while (!socket.destroyed && socket.write(many));
  };
  socket.on("drain", more);
  more();
}

/** One piece after another, each in a packet of its own where the system allows it. */
export function drip(socket: Socket, pieces: () => Uint8Array | string, everyMs: number): void {
  socket.setNoDelay(true);
  const timer = setInterval(() => socket.write(pieces()), everyMs);
  socket.once("close", () => clearInterval(timer));
}
