import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import Fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type EventStream, EventStreams } from "../../src/http/sse.ts";

const STALL_LIMIT_MS = 300;
let server: FastifyInstance;
let patient: EventStreams;
let impatient: EventStreams;
let opened: PromiseWithResolvers<{ stream: EventStream; waitingBytes: () => number }>;

beforeAll(async () => {
  patient = new EventStreams();
  impatient = new EventStreams({ tickMs: 20, stallLimitMs: STALL_LIMIT_MS });
  server = Fastify();
  server.get("/:kind", (request, reply) => {
    const stream = (request.url === "/patient" ? patient : impatient).open(reply);
    stream.send("data: hello\n\n");
    opened.resolve({ stream, waitingBytes: () => reply.raw.writableLength });
  });
  await server.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(() => {
  patient.close();
  impatient.close();
  return server.close();
});
beforeEach(() => {
  opened = Promise.withResolvers();
});

async function connectReader(path = "/patient"): Promise<Socket> {
  const socket = connect((server.server.address() as { port: number }).port, "127.0.0.1");
  socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
  await once(socket, "data");
  return socket;
}

const update = (at: number) => `data: {"at":${at},"text":"${"x".repeat(4_000)}"}\n\n`;

it("a reader that stops reading keeps a bounded amount waiting and gets the newest when it goes on", async () => {
  const socket = await connectReader();
  const { stream, waitingBytes } = await opened.promise;
  socket.pause();
  const last = 5_000;
  let maxBytes = 0;
  for (let at = 0; at <= last; at++) {
    stream.sendNewest(update(at));
    maxBytes = Math.max(maxBytes, waitingBytes());
    if (at % 20 === 0) await nextTurn();
  }
  expect(waitingBytes()).toBeGreaterThan(0);
  expect(maxBytes).toBeLessThan(65_536);
  let text = "";
  const caughtUp = new Promise<void>((resolve) => {
    socket.on("data", (chunk) => {
      text += chunk.toString();
      if (text.includes(`"at":${last},`)) resolve();
    });
  });
  socket.resume();
  await caughtUp;
  const seen = [...text.matchAll(/"at":(\d+),/g)].map(([, at]) => Number(at));
  expect(seen).toEqual([...seen].sort((one, other) => one - other));
  expect(seen.length).toBeLessThan(last);
  socket.destroy();
});

it("a reader that never goes on is dropped", async () => {
  const socket = await connectReader("/impatient");
  const { stream } = await opened.promise;
  socket.pause();
  const closed = new Promise<void>((resolve) => stream.onClose(resolve));
  while (stream.send(update(0))) await nextTurn();
  await closed;
  stream.send(update(1));
  stream.end();
  socket.destroy();
});

it("a reader that has stopped does not hold up another", async () => {
  const stopped = await connectReader();
  const slow = (await opened.promise).stream;
  stopped.pause();
  while (slow.send(update(0))) await nextTurn();
  opened = Promise.withResolvers();
  const reader = await connectReader();
  const { stream } = await opened.promise;
  const answer = once(reader, "data");
  slow.sendNewest(update(1));
  stream.send("data: quick\n\n");
  expect(String((await answer)[0])).toContain("data: quick");
  stopped.destroy();
  reader.destroy();
});
