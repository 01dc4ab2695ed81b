import type { Server } from "node:http";
import { Socket } from "node:net";
import { TurnShare } from "../lifecycle/turn-share.ts";
import { waitingOn } from "./request-turns.ts";

/** To end a connection, and each request that is under way on it, takes about 50 µs: so many in one turn. */
export const endings = new TurnShare({ most: 100, each: 1 });

type Destroy = (error: Error | null, callback: (error?: Error | null) => void) => void;

/** Thousands of connections may end in the same moment, when a client dies or a network does. */
export function paceEndings(server: Server): void {
  server.on("connection", (socket: Socket) => {
    const inTurn = (end: () => void) =>
      endings.whenRoom(() => {
        endings.take(1 + waitingOn(socket));
        end();
      });
    const destroy: Destroy = (error, callback) =>
      inTurn(() => Socket.prototype._destroy.call(socket, error, callback));
    socket._destroy = destroy;
    wrapListeners(socket, "end", (call) => inTurn(() => withoutStacks(call)));
    wrapListeners(socket, "close", withoutStacks);
  });
}

/** What Node does at an event, in a way of ours. */
function wrapListeners(socket: Socket, event: "end" | "close", wrap: (call: () => void) => void): void {
  const listeners = socket.listeners(event);
  socket.removeAllListeners(event);
  socket.on(event, (...given: unknown[]) =>
    wrap(() => {
      for (const listener of listeners) listener.apply(socket, given);
    }),
  );
}

/** Node makes an error of each request that is under way on a connection that ends, and most of that is its stack. */
function withoutStacks(work: () => void): void {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    work();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
