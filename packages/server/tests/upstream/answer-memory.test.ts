import { Readable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import { readBounded } from "../../src/upstream/guarded-http/body.ts";

const CHUNKS = 20;
const CHUNK_BYTES = 50_000;
const WHERE = { host: "example.com", organizationId: "org_1" };

const answer = () => Readable.from(Array.from({ length: CHUNKS }, () => Buffer.alloc(CHUNK_BYTES)));

it("an answer is counted while it is read, waits where there is no room, and is given back at its end", async () => {
  let bytes = 0;
  const wait = Promise.withResolvers<void>();
  let isFull = true;
  const memory = {
    add: (more: number) => (bytes += more),
    room: () => (isFull && bytes > 200_000 ? wait.promise : undefined),
  };
  let read = 0;
  const reading = (async () => {
    for await (const chunk of readBounded(answer(), undefined, 10_000_000, { ...WHERE, memory }))
      read += chunk.length;
  })();
  for (let turn = 0; turn < 50; turn += 1) await nextTurn();
  expect(read).toBe(250_000);
  expect(bytes).toBe(250_000);
  isFull = false;
  wait.resolve();
  await reading;
  expect(read).toBe(CHUNKS * CHUNK_BYTES);
  expect(bytes).toBe(0);
});

it("an answer that is left in the middle is given back too", async () => {
  let bytes = 0;
  const memory = { add: (more: number) => (bytes += more), room: () => undefined };
  for await (const _chunk of readBounded(answer(), undefined, 10_000_000, { ...WHERE, memory }))
    if (bytes > 200_000) break;
  expect(bytes).toBe(0);
});
