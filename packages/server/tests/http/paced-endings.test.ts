import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, Socket } from "node:net";
import { text } from "node:stream/consumers";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import { answerClientError } from "../../src/http/client-error.ts";
import { inTurns } from "../../src/http/request-turns.ts";
import { paceEndings } from "../../src/http/paced-endings.ts";

const CLIENTS = 600;
/** A turn ends a hundred, each of which first hears of the end and then lets go. */
const MOST_IN_A_TURN = 200;

it.each([
  ["end", (socket: Socket) => socket.end()],
  ["are reset", (socket: Socket) => socket.resetAndDestroy()],
])(
  "connections that %s in the same moment are let go a few at a time, with what is under way",
  async (_, leave) => {
    const count = { aborted: 0, closed: 0 };
    const server = createServer((request, response) => {
      response.writeHead(200).write("begun");
      response.once("close", () => void (count.aborted += 1));
      request.resume();
    });
    paceEndings(server);
    server.on("connection", (socket: Socket) => socket.once("close", () => void (count.closed += 1)));
    server.listen(0, "127.0.0.1", CLIENTS);
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const clients = Array.from({ length: CLIENTS }, () => connect(port, "127.0.0.1").on("error", () => {}));
    await Promise.all(
      clients.map(async (client) => {
        client.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
        await once(client, "data");
      }),
    );
    for (const client of clients) leave(client);
    let most = 0;
    let before = 0;
    while (count.closed < CLIENTS) {
      await nextTurn();
      most = Math.max(most, count.closed - before);
      before = count.closed;
    }
    expect(most).toBeLessThanOrEqual(MOST_IN_A_TURN);
    expect(count.aborted).toBe(CLIENTS);
    server.close();
  },
);

it("connections end one by one where many requests wait on each", async () => {
  const server = createServer(
    inTurns(
      (request) => void request.resume(),
      () => {},
    ),
  );
  paceEndings(server);
  const count = { closed: 0 };
  const served: Socket[] = [];
  server.on("connection", (socket: Socket) => {
    served.push(socket);
    socket.once("close", () => void (count.closed += 1));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  let heard = 0;
  server.on("request", () => (heard += 1));
  const packet = "GET / HTTP/1.1\r\nhost: x\r\n\r\n".repeat(200);
  const clients = Array.from({ length: 20 }, () => connect(port, "127.0.0.1").on("error", () => {}));
  for (const client of clients) client.write(packet);
  await vi.waitUntil(() => heard === 20 * 200, { timeout: 60_000 });
  for (const socket of served) socket.destroy();
  let most = 0;
  while (count.closed < clients.length) {
    const before = count.closed;
    await nextTurn();
    most = Math.max(most, count.closed - before);
  }
  expect(most).toBeLessThanOrEqual(2);
  server.close();
});

it("requests that are late in the same moment are answered a few at a time", async () => {
  const server = createServer({ headersTimeout: 500, requestTimeout: 500, connectionsCheckingInterval: 100 });
  paceEndings(server);
  let late = 0;
  server.on("clientError", (error, socket) => {
    late += 1;
    answerClientError(error, socket as Socket, "req_test");
  });
  server.listen(0, "127.0.0.1", CLIENTS);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const answers = Array.from({ length: CLIENTS }, async () => {
    const client = connect(port, "127.0.0.1");
    client.write("GET / HTTP/1.1\r\nhost: x\r\n");
    return text(client);
  });
  const writes = vi.spyOn(Socket.prototype, "write");
  let most = 0;
  while (writes.mock.calls.length < CLIENTS) {
    const before = writes.mock.calls.length;
    await nextTurn();
    most = Math.max(most, writes.mock.calls.length - before);
  }
  writes.mockRestore();
  expect(late).toBe(CLIENTS);
  expect(most).toBeLessThanOrEqual(MOST_IN_A_TURN);
  for (const answer of await Promise.all(answers))
    expect(answer).toMatch(/^HTTP\/1.1 408 .*request_timeout/s);
  server.close();
});
