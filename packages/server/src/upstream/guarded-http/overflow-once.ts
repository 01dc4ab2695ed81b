import type { Socket } from "node:net";

interface Parser {
  headersMaxSize: number;
}

/**
 * undici parses a piece to its end even where its headers are too large by then, and makes an error for each name and value
 * that follows: thousands, and each takes note of where it was made. Told that there is no limit any more, it makes one.
 */
export function overflowOnce(socket: Socket): Socket {
  const destroy = socket.destroy.bind(socket);
  socket.destroy = (error?: NodeJS.ErrnoException) => {
    if (error?.code === "UND_ERR_HEADERS_OVERFLOW")
      for (const parser of parsersOf(socket)) parser.headersMaxSize = Infinity;
    return destroy(error);
  };
  return socket;
}

/** undici keeps it on the socket, under a symbol of its own. */
function parsersOf(socket: Socket): Parser[] {
  return Object.getOwnPropertySymbols(socket)
    .map((symbol) => (socket as unknown as Record<symbol, unknown>)[symbol])
    .filter(
      (value): value is Parser => typeof value === "object" && value !== null && "headersMaxSize" in value,
    );
}
