import type { Server } from "node:http";
import { Socket } from "node:net";
import { TurnShare } from "../lifecycle/turn-share.ts";

/** To end a connection, and what is under way on it, takes about 50 µs: so many in one turn. */
export const endings = new TurnShare({ most: 100, each: 1 });

type Destroy = (error: Error | null, callback: (error?: Error | null) => void) => void;

/** Thousands of connections may end in the same moment, when a client dies or a network does. */
export function paceEndings(server: Server): void {
  server.on("connection", (socket: Socket) => {
    const listeners = socket.listeners("end");
    socket.removeAllListeners("end");
    socket.on("end", () =>
      endings.inTurn(() => {
        for (const listener of listeners) listener.call(socket);
      }),
    );
    const destroy: Destroy = (error, callback) =>
      endings.inTurn(() => Socket.prototype._destroy.call(socket, error, callback));
    socket._destroy = destroy;
  });
}
