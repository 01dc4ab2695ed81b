import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { type Abuse, drip, faultsOf, MAX_MS, many, open, read, sentOnce, type Target } from "./abuse.ts";

const authorized = ({ key }: Target) => `host: x\r\nauthorization: Bearer ${key}\r\n`;
const json = "content-type: application/json\r\n";
const BAD = /^HTTP\/1\.1 400 /;
const PIPELINED = 1_000;

export const abuses: readonly Abuse[] = [
  many("heads that never end", 40, (_, socket) => drip(socket, "GET /healthz HTTP/1.1\r\nx", "-")),
  many("bodies that never end", 40, (target, socket) =>
    drip(socket, `POST /api/runs HTTP/1.1\r\n${authorized(target)}${json}content-length: 999\r\n\r\n{`, " "),
  ),
  many("chunks that never end", 20, (target, socket) =>
    drip(
      socket,
      `POST /api/runs HTTP/1.1\r\n${authorized(target)}${json}transfer-encoding: chunked\r\n\r\n`,
      "1\r\n \r\n",
    ),
  ),
  many("connections that say nothing", 100, async (_, socket) => faultsOf(await read(socket))),
  many("half a request and a FIN", 50, async (target, socket) => {
    socket.end(`POST /api/runs HTTP/1.1\r\n${authorized(target)}${json}content-length: 50\r\n\r\n{"pay`);
    const ending = await read(socket);
    return ending.ended ? faultsOf(ending) : ["still waited for"];
  }),
  many("half a request and a RST", 50, async (target, socket) => {
    await once(socket, "connect");
    socket.write(`POST /api/runs HTTP/1.1\r\n${authorized(target)}${json}content-length: 50\r\n\r\n{"pay`);
    await sleep(5);
    socket.resetAndDestroy();
    return [];
  }),
  many("a request and a RST", 50, async (target, socket) => {
    await once(socket, "connect");
    const body = '{"payload":{"flowId":"flow_hello"}}';
    socket.write(
      `POST /api/runs HTTP/1.1\r\n${authorized(target)}${json}content-length: ${body.length}\r\n\r\n${body}`,
      () => socket.resetAndDestroy(),
    );
    await once(socket, "close");
    return [];
  }),
  sentOnce(
    "both lengths",
    (target) =>
      `POST /api/runs HTTP/1.1\r\n${authorized(target)}${json}content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\nhost: x\r\n\r\n`,
    BAD,
  ),
  sentOnce(
    "two lengths",
    (target) =>
      `POST /api/runs HTTP/1.1\r\n${authorized(target)}${json}content-length: 2\r\ncontent-length: 9\r\n\r\n{}`,
    BAD,
  ),
  sentOnce(
    "chunks of nonsense",
    (target) =>
      `POST /api/runs HTTP/1.1\r\n${authorized(target)}${json}transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n`,
    /^HTTP\/1\.1 40[08] /,
  ),
  sentOnce(
    "a chunk of 2^64 bytes",
    (target) =>
      `POST /api/runs HTTP/1.1\r\n${authorized(target)}${json}transfer-encoding: chunked\r\n\r\n10000000000000000\r\n{}`,
    /^HTTP\/1\.1 4\d\d /,
  ),
  sentOnce(
    "a coding nobody knows",
    (target) => `POST /api/runs HTTP/1.1\r\n${authorized(target)}${json}transfer-encoding: gzip\r\n\r\n{}`,
    /^HTTP\/1\.1 [45]\d\d /,
  ),
  sentOnce(
    "a head of 100 KB",
    () => `GET /healthz HTTP/1.1\r\nhost: x\r\nx: ${"a".repeat(100_000)}`,
    /^HTTP\/1\.1 431 /,
  ),
  sentOnce(
    "2,000 headers",
    () => `GET /healthz HTTP/1.1\r\nhost: x\r\n${"x: 1\r\n".repeat(4_000)}\r\n`,
    /^HTTP\/1\.1 4\d\d /,
  ),
  sentOnce("no such version", () => "GET /healthz HTTP/9.9\r\nhost: x\r\n\r\n", BAD),
  sentOnce("HTTP/2", () => "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", BAD),
  sentOnce("NULs", () => "GET /health\0z HTTP/1.1\r\nhost: x\r\n\r\n", BAD),
  sentOnce("NULs in a header", () => "GET /healthz HTTP/1.1\r\nhost: x\r\nx: a\0b\r\n\r\n", BAD),
  sentOnce("a bare line feed", () => "GET /healthz HTTP/1.1\nhost: x\n\n", /^HTTP\/1\.1 (200|400) /),
  sentOnce("TLS", () => "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03".padEnd(517, "\x42"), BAD),
  sentOnce(
    "an address of 100 KB",
    () => `GET /${"a".repeat(100_000)} HTTP/1.1\r\nhost: x\r\n\r\n`,
    /^HTTP\/1\.1 4\d\d /,
  ),
  sentOnce(
    "an absolute address",
    () => "GET http://x/healthz HTTP/1.1\r\nhost: x\r\n\r\n",
    /^HTTP\/1\.1 [24]\d\d /,
  ),
  sentOnce(
    "a proxy's method",
    () => "CONNECT 127.0.0.1:80 HTTP/1.1\r\nhost: x\r\n\r\n",
    /^(HTTP\/1\.1 4\d\d |$)/,
  ),
  sentOnce("OPTIONS *", () => "OPTIONS * HTTP/1.1\r\nhost: x\r\n\r\n", /^HTTP\/1\.1 4\d\d /),
  sentOnce(
    "a protocol nobody offers",
    (target) =>
      `GET /api/auth/validate HTTP/1.1\r\n${authorized(target)}connection: upgrade\r\nupgrade: websocket\r\n\r\n`,
    /^HTTP\/1\.1 [24]\d\d /,
  ),
  sentOnce(
    "an expectation nobody meets",
    (target) => `GET /api/auth/validate HTTP/1.1\r\n${authorized(target)}expect: miracles\r\n\r\n`,
    /^HTTP\/1\.1 200 /,
  ),
  {
    name: "a body after 100 Continue",
    async run(target) {
      const socket = open(target);
      socket.write(
        `POST /api/runs HTTP/1.1\r\n${authorized(target)}${json}expect: 100-continue\r\ncontent-length: 2\r\nconnection: close\r\n\r\n`,
      );
      let sent = false;
      const { text } = await read(socket, (text) => {
        if (!sent && text.includes("100 Continue")) {
          socket.write("{}");
          sent = true;
        }
        return text.includes("HTTP/1.1 400 ");
      });
      return text.includes("HTTP/1.1 400 ") ? [] : [`answered with ${text.slice(0, 200)}`];
    },
  },
  {
    name: `${PIPELINED} requests at once on one connection`,
    async run(target) {
      const socket = open(target);
      socket.write(`GET /api/auth/validate HTTP/1.1\r\n${authorized(target)}\r\n`.repeat(PIPELINED));
      const count = (text: string) => text.split("HTTP/1.1 200 OK").length - 1;
      const { text } = await read(socket, (text) => count(text) === PIPELINED);
      return count(text) === PIPELINED ? [] : [`${count(text)} of ${PIPELINED} were answered`];
    },
  },
  many("streams that nobody reads", 50, async (target, socket) => {
    socket.write(`GET /api/runs/${target.pausedRunId}/stream HTTP/1.1\r\n${authorized(target)}\r\n`);
    const opened = await Promise.race([
      once(socket, "readable").then(() => true),
      sleep(MAX_MS, false, { ref: false }),
    ]);
    await sleep(2_000);
    socket.destroy();
    return opened ? [] : ["not answered"];
  }),
  many("answers that nobody reads", 20, async (target, socket) => {
    socket.pause();
    socket.write("GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n".repeat(500));
    await sleep(5_000);
    socket.destroy();
    return [];
  }),
  many("a flood of connections", 1_000, async (_, socket, at) => {
    await sleep(at % 500);
    socket.write("GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
    const { text } = await read(socket);
    return text.startsWith("HTTP/1.1 200 ") ? [] : [`answered with "${text.slice(0, 100)}"`];
  }),
];
