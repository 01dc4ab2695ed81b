import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

const MAX_REQUEST_MS = 5_000;

/**
 * How to close the server without waiting for those who ask nothing. Node counts a connection as idle only after its
 * first request and looks for late ones no more once it closes, so a silent client, or half a request, would hold it.
 */
export function prepareClose(server: FastifyInstance): () => Promise<void> {
  const silent = new Set<Socket>();
  server.server.on("connection", (socket) => {
    silent.add(socket);
    socket.once("close", () => silent.delete(socket));
  });
  server.server.on("request", ({ socket }) => silent.delete(socket));
  return async () => {
    const timer = setTimeout(() => server.server.closeAllConnections(), MAX_REQUEST_MS);
    const closed = server.close();
    for (const socket of silent) socket.destroy();
    await closed;
    clearTimeout(timer);
  };
}
