import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

const MAX_REQUEST_MS = 5_000;
const SWEEP_MS = 50;

/**
 * How to close the server without waiting for those who ask nothing. Node counts a connection as idle only after its
 * first request and looks for late ones no more once it closes, so a silent client, or half a request, would hold it. It
 * does not count those that came in through another door at all.
 */
export function prepareClose(server: FastifyInstance): () => Promise<void> {
  const open = new Set<Socket>();
  const silent = new Set<Socket>();
  server.server.on("connection", (socket) => {
    open.add(socket);
    silent.add(socket);
    socket.once("close", () => {
      open.delete(socket);
      silent.delete(socket);
    });
  });
  server.server.on("request", ({ socket }) => silent.delete(socket));
  return async () => {
    const timer = setTimeout(() => server.server.closeAllConnections(), MAX_REQUEST_MS);
    const sweeping = setInterval(() => server.server.closeIdleConnections(), SWEEP_MS);
    const closed = server.close();
    for (const socket of silent) socket.destroy();
    await closed;
    // However each of them ends, also by an error.
    await Promise.all(Array.from(open, (socket) => new Promise((resolve) => socket.once("close", resolve))));
    clearTimeout(timer);
    clearInterval(sweeping);
  };
}
