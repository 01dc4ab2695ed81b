import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { FastifyReply } from "fastify";
import { afterEach, expect, it } from "vitest";
import { type EventStream, EventStreams } from "../../src/http/sse.ts";
import { eventLoop } from "../../src/lifecycle/event-loop.ts";

const streams = new EventStreams();
const server = createServer();
afterEach(() => void server.close());

/** A reader on a real connection, and the stream it reads. */
async function open(): Promise<{ stream: EventStream; raw: ServerResponse; text: Promise<string> }> {
  if (!server.listening) await once(server.listen(0, "127.0.0.1"), "listening");
  const asked = once(server, "request");
  const text = fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`).then((answer) =>
    answer.text(),
  );
  const [, raw] = (await asked) as [unknown, ServerResponse];
  const reply = { raw, hijack: () => {}, getHeaders: () => ({}) } as unknown as FastifyReply;
  return { stream: streams.open(reply), raw, text };
}

function useUpTheSlice(): void {
  while (!eventLoop.isSliceOver());
}

it("writes in the same turn while there is time, and later what comes when the turn is over", async () => {
  const { stream, raw, text } = await open();
  stream.send("data: 1\n\n");
  const written = raw.writableLength;
  useUpTheSlice();
  stream.send("data: 2\n\n");
  stream.send("data: 3\n\n");
  expect(raw.writableLength).toBe(written);
  stream.end("data: 4\n\n");
  expect(raw.writableEnded).toBe(false);
  expect(await text).toBe("data: 1\n\ndata: 2\n\ndata: 3\n\ndata: 4\n\n");
});

it("counts what is to be written later as not taken by the reader yet", async () => {
  const { stream, text } = await open();
  useUpTheSlice();
  const block = "x".repeat(40_000);
  expect([stream.send(block), stream.send(block), stream.send(block)]).toEqual([true, true, false]);
  await stream.room();
  stream.end();
  expect(await text).toHaveLength(80_000);
});

it("goes on with the others when one has gone before its turn", async () => {
  const [gone, here] = [await open(), await open()];
  useUpTheSlice();
  gone.stream.send("data: 1\n\n");
  here.stream.send("data: 2\n\n");
  gone.raw.destroy();
  here.stream.end();
  expect(await here.text).toBe("data: 2\n\n");
  await expect(gone.text).rejects.toThrow();
});
