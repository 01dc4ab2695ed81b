import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect, it } from "vitest";
import { startRunService } from "../support/runs-service.ts";

async function open(address: string, text = ""): Promise<Socket> {
  const socket = connect(Number(new URL(address).port), "127.0.0.1");
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.write(text);
  return socket;
}

/** What the service has sent on this connection so far. */
function received(socket: Socket): () => string {
  let text = "";
  socket.setEncoding("utf8").on("data", (part: string) => (text += part));
  return () => text;
}

const halfABody = (key: string) =>
  `POST /api/runs HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{`;

it.each([
  ["that ask nothing", () => ""],
  ["that stop in the middle of the headers", () => "GET /healthz HTTP/1.1\r\nHost:"],
  ["that never send the rest of a body", halfABody],
])("does not wait to stop for clients %s", async (_, text) => {
  const service = await startRunService();
  const sockets = await Promise.all([
    open(service.address, text(service.key)),
    open(service.address, text(service.key)),
  ]);
  const answers = sockets.map(received);
  // The server has seen the others once it has answered this one.
  expect((await service.get("/healthz")).status).toBe(200);
  await service.stop();
  // A server that waits for them gives them up only by their time limit, and tells them so.
  for (const answer of answers) expect(answer()).not.toContain(" 408 ");
  for (const socket of sockets) socket.destroy();
});
