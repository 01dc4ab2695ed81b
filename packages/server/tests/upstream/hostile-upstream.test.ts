import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Socket } from "node:net";
import { errors } from "undici";
import { afterEach, describe, expect, it } from "vitest";
import type { GuardedHttpErrorName } from "../../src/upstream/guarded-http/guarded-http.ts";
import { failureOf, get, listenRaw, testHttp, type Listener } from "./support.ts";

const limits = { connectMs: 30_000, headersMs: 400 };
const totalMs = 1000;
const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
const brotliBomb = brotliCompressSync(Buffer.alloc(64 * 1024 * 1024), {
  params: { [constants.BROTLI_PARAM_QUALITY]: 2 },
});
const head = "HTTP/1.1 200 OK\r\n";

function trickle(socket: Socket, first: string): void {
  socket.write(first);
  const timer = setInterval(() => socket.write("x"), 50);
  socket.once("close", () => clearInterval(timer));
}

function flood(socket: Socket, first: string, chunk: Buffer | string): void {
  socket.write(first);
  const more = () => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on("drain", more);
  more();
}

const attacks: Record<string, [(socket: Socket) => void, ...GuardedHttpErrorName[]]> = {
  "never answers": [() => {}, "HttpTimeout"],
  "sends its headers one byte at a time": [(socket) => trickle(socket, `${head}x-a: `), "HttpTimeout"],
  "sends its body one byte at a time": [
    (socket) => trickle(socket, `${head}content-length: 9999\r\n\r\n`),
    "HttpTimeout",
  ],
  "stops in the middle of the body": [
    (socket) => socket.write(`${head}content-length: 99\r\n\r\nabc`),
    "HttpTimeout",
  ],
  "sends a body without end": [
    (socket) => flood(socket, `${head}\r\n`, Buffer.alloc(65_536)),
    "ResponseTooLarge",
  ],
  "sends headers without end": [
    (socket) => flood(socket, head, `x-${"a".repeat(60)}: b\r\n`),
    "ResponseTooLarge",
  ],
  "sends 10,000 headers": [
    (socket) => socket.end(`${head}${"x-header: some value\r\n".repeat(10_000)}\r\n`),
    "ResponseTooLarge",
  ],
  "sends chunks without end": [
    (socket) =>
      flood(socket, `${head}transfer-encoding: chunked\r\n\r\n`, `10000\r\n${"x".repeat(65_536)}\r\n`),
    "ResponseTooLarge",
  ],
  "sends a gzip bomb": [
    (socket) => socket.end(Buffer.concat([Buffer.from(`${head}content-encoding: gzip\r\n\r\n`), bomb])),
    "ResponseTooLarge",
  ],
  "sends informational answers without end": [
    (socket) => flood(socket, "", "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n".repeat(500)),
    "ResponseTooLarge",
    "ResponseInvalid",
    "ConnectionLost",
    "HttpTimeout",
  ],
  "sends trailers without end": [
    (socket) =>
      flood(
        socket,
        `${head}transfer-encoding: chunked\r\n\r\n1\r\na\r\n0\r\n`,
        `x-${"a".repeat(60)}: b\r\n`.repeat(500),
      ),
    "ResponseTooLarge",
  ],
  "sends a chunk extension without end": [
    (socket) => flood(socket, `${head}transfer-encoding: chunked\r\n\r\n1;`, "x".repeat(65_536)),
    "ResponseTooLarge",
    "ResponseInvalid",
    "HttpTimeout",
  ],
  "redirects to an address without end": [
    (socket) => flood(socket, "HTTP/1.1 302 Found\r\nlocation: /", "x".repeat(65_536)),
    "ResponseTooLarge",
  ],
  "sends a brotli bomb": [
    (socket) => socket.end(Buffer.concat([Buffer.from(`${head}content-encoding: br\r\n\r\n`), brotliBomb])),
    "ResponseTooLarge",
  ],
  "resets before the answer": [(socket) => socket.resetAndDestroy(), "ConnectionLost"],
  "resets in the body": [
    (socket) => socket.write(`${head}content-length: 99\r\n\r\nabc`, () => socket.resetAndDestroy()),
    "ConnectionLost",
  ],
  "closes too early": [
    (socket) => socket.end(`${head}content-length: 99\r\n\r\nabc`),
    "ConnectionLost",
    "ResponseInvalid",
  ],
  "sends invalid chunks": [
    (socket) => socket.end(`${head}transfer-encoding: chunked\r\n\r\nzz\r\nabc\r\n`),
    "ResponseInvalid",
  ],
  "does not speak HTTP": [(socket) => socket.end("SSH-2.0-OpenSSH_9\r\n"), "ResponseInvalid"],
  "sends broken gzip": [
    (socket) => socket.end(`${head}content-encoding: gzip\r\n\r\nnot gzip`),
    "ResponseInvalid",
  ],
  "sends half a gzip": [
    (socket) =>
      socket.end(Buffer.concat([Buffer.from(`${head}content-encoding: gzip\r\n\r\n`), bomb.subarray(0, 99)])),
    "ResponseInvalid",
  ],
  "claims two lengths": [
    (socket) => socket.end(`${head}content-length: 1\r\ncontent-length: 2\r\n\r\nab`),
    "ResponseInvalid",
  ],
};

let upstream: Listener | undefined;
const http = testHttp({}, limits);
const patient = testHttp({}, { connectMs: 30_000, headersMs: 30_000 });
afterEach(() => upstream?.close());

describe("a server ends in an error within the limits when it", () => {
  it.each(Object.entries(attacks))("%s", async (_name, [answer, ...expected]) => {
    upstream = await listenRaw(answer);
    // What is not ended by the clock has all the time of a crowded machine.
    const [client, patienceMs] = expected.includes("HttpTimeout") ? [http, totalMs] : [patient, 60_000];
    const error = await failureOf(client.request(get(upstream.url, { totalMs: patienceMs })));
    expect(expected).toContain(error.name);
  });
});

it("no attack makes the service's memory grow by more than 20 MB", { retry: 2 }, async () => {
  const growing = [
    "sends a body without end",
    "sends chunks without end",
    "sends headers without end",
    "sends a gzip bomb",
  ];
  const attackAll = async () => {
    for (const name of growing) {
      const [answer = () => {}] = attacks[name] ?? [];
      upstream = await listenRaw(answer);
      await failureOf(patient.request(get(upstream.url, { totalMs: 60_000, maxBytes: 1024 * 1024 })));
      await upstream.close();
      upstream = undefined;
    }
  };
  await attackAll();
  const before = heldBytes();
  let peak = before;
  const sampler = setInterval(() => (peak = Math.max(peak, heldBytes())), 2);
  for (let round = 0; round < 5; round += 1) await attackAll();
  clearInterval(sampler);
  expect(peak - before).toBeLessThan(20 * 1024 * 1024);
});

it("headers that are too many are one error, however many come with them", async () => {
  upstream = await listenRaw((socket) => socket.end(`${head}${"x-a: b\r\n".repeat(20_000)}`));
  const named: unknown[] = [];
  // The library names each of its errors.
  Object.defineProperty(errors.HeadersOverflowError.prototype, "name", {
    configurable: true,
    set: (name) => {
      named.push(name);
    },
  });
  try {
    const error = await failureOf(patient.request(get(upstream.url, { totalMs: 60_000 })));
    expect(error.name).toBe("ResponseTooLarge");
  } finally {
    Reflect.deleteProperty(errors.HeadersOverflowError.prototype, "name");
  }
  expect(named).toEqual(["UndiciError", "HeadersOverflowError"]);
});

function heldBytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
