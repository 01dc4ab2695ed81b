import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Fifo } from "../domain/fifo.ts";
import { TurnShare } from "../lifecycle/turn-share.ts";

/** Most take 50 µs until something is waited for. */
const requests = new TurnShare({ most: 100, each: 1 });
/** Of requests, as much as 10 µs each: more than a turn hears of in normal load. */
const maxHeard = 500;
const headersOfOne = 20;
/** Of one that cannot be read. */
const faultTakes = 10;
/** As much as makes Node stop reading from a connection. */
const enoughBytes = 1_048_576;

/** On all connections together, 3 KB each. */
const maxWaiting = 10_000;

const waiting = new WeakMap<Socket, number>();
const ending = new WeakSet<Socket>();
let allWaiting = 0;

function wait(socket: Socket, more: number): void {
  if (!waiting.has(socket)) socket.once("close", () => wait(socket, -waitingOn(socket)));
  waiting.set(socket, waitingOn(socket) + more);
  allWaiting += more;
}

/** How many requests of a connection wait for the answer to the one before. Each is an error of its own when it ends. */
export function waitingOn(socket: Socket): number {
  return waiting.get(socket) ?? 0;
}

/**
 * A client may send thousands of requests in one packet, or on thousands of connections in the same moment, and Node hands
 * all of them over in the turn that reads them. Here a turn begins some; of one connection the next begins when the one
 * before it is answered, and as long as some wait nothing more is read from it. They are there as objects all the same,
 * so where there are very many, connections that bring more are ended.
 */
export function inTurns(handle: RequestListener, endConnection: (socket: Socket) => void): RequestListener {
  return (request, response) => {
    if (response.socket !== null) return begin(request, response);
    const { _onPendingData: hold } = response as HeldResponse;
    const { socket } = request;
    hold(enoughBytes);
    wait(socket, 1);
    if (allWaiting > maxWaiting && !ending.has(socket)) {
      ending.add(socket);
      endConnection(socket);
    }
    response.once("socket", () => {
      wait(socket, -1);
      hold(-enoughBytes);
      begin(request, response);
    });
  };

  function begin(request: IncomingMessage, response: ServerResponse): void {
    requests.inTurn(() => {
      if (!request.socket.destroyed) handle(request, response);
    });
  }
}

/** Node counts the bytes of answers whose turn has not come. */
interface HeldResponse extends ServerResponse {
  _onPendingData(bytes: number): void;
}

/**
 * Where a turn has heard of many requests, nothing more is read from any connection until the next one, and from then on
 * from some in each turn.
 */
export function pauseFloods(server: Server): void {
  const open = new Set<Socket>();
  const paused = new Fifo<Socket>();
  let heard = 0;
  let hasNextTurn = false;
  const openTurn = () => {
    if (hasNextTurn) return;
    hasNextTurn = true;
    setImmediate(() => {
      hasNextTurn = false;
      heard = 0;
      // Those that Node has stopped for a reason of its own stay so.
      for (let room = maxHeard; room > 0 && paused.size > 0; room -= 1) paused.take()?.resume();
      if (paused.size > 0) openTurn();
    });
  };
  server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  const hear = (takes: number) => {
    const before = heard;
    heard += takes;
    openTurn();
    if (before >= maxHeard || heard < maxHeard) return;
    for (const socket of open) {
      if (socket.isPaused()) continue;
      socket.pause();
      paused.add(socket);
    }
  };
  server.on("request", ({ rawHeaders }) => hear(1 + Math.floor(rawHeaders.length / 2 / headersOfOne)));
  server.on("clientError", () => hear(faultTakes));
}
