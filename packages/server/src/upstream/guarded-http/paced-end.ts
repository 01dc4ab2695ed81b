import type { Socket } from "node:net";
import { Fifo } from "../../domain/fifo.ts";

/** Each sets going what a request does that has lost its connection: a third of a millisecond. */
const endsPerTurn = 16;

const ends = new Fifo<() => void>();
let isDue = false;

/**
 * A host may end thousands of connections at once, and all would be heard of in one turn of the event loop: so many are
 * heard of in each turn instead. What was sent before an end is read at once.
 */
export function paceEnd(socket: Socket): Socket {
  const push = socket.push.bind(socket);
  const destroy = socket.destroy.bind(socket);
  socket.push = (chunk, encoding) => {
    if (chunk !== null) return push(chunk, encoding);
    inTurn(() => push(null));
    return false;
  };
  socket.destroy = (error) => {
    if (!isBrokenRead(error)) return destroy(error);
    inTurn(() => destroy(error));
    return socket;
  };
  return socket;
}

function inTurn(end: () => void): void {
  ends.add(end);
  if (isDue) return;
  isDue = true;
  setImmediate(hearSome);
}

function hearSome(): void {
  for (let count = 0; count < endsPerTurn; count += 1) ends.take()?.();
  isDue = ends.size > 0;
  if (isDue) setImmediate(hearSome);
}

function isBrokenRead(error: NodeJS.ErrnoException | undefined): boolean {
  return error?.syscall === "read";
}
