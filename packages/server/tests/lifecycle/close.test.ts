import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect, it } from "vitest";
import { startTestService } from "../support/service.ts";

async function open(address: string, text = ""): Promise<Socket> {
  const socket = connect(Number(new URL(address).port), "127.0.0.1");
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.write(text);
  return socket;
}

const HALF_A_BODY =
  "POST /api/runs HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{";

it.each([
  ["that ask nothing", ""],
  ["that stop in the middle of the headers", "GET /healthz HTTP/1.1\r\nHost:"],
  ["that never send the rest of a body", HALF_A_BODY],
])("stops in time although there are clients %s", async (_, text) => {
  const service = await startTestService();
  const sockets = await Promise.all([open(service.address, text), open(service.address, text)]);
  // The server has seen the others once it has answered this one.
  expect((await service.get("/healthz")).status).toBe(200);
  const startedAt = performance.now();
  await service.stop();
  // Less than an idle connection is kept.
  expect(performance.now() - startedAt).toBeLessThan(60_000);
  for (const socket of sockets) socket.destroy();
});
