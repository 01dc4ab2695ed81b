import { once } from "node:events";
import { createServer, request } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { platform } from "node:os";
import { fastify } from "fastify";
import { afterEach, describe, expect, it } from "vitest";
import { prepareClose } from "../../src/http/close-server.ts";
import { listenAt } from "../../src/http/doors.ts";

const CONNECTIONS = 64;
const place = (port = 0) => ({ host: "127.0.0.1", port, backlog: 511 });
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function start() {
  const server = fastify();
  let answer = () => {};
  const asked = new Promise<void>((resolve) => {
    server.get("/", async () => {
      resolve();
      await new Promise<void>((done) => (answer = done));
      return "late";
    });
  });
  const close = prepareClose(server);
  const url = await listenAt(server, place());
  const { port } = server.server.address() as AddressInfo;
  return { server, close, url, port, asked, answer: () => answer() };
}

/** Who may be turned away. */
function crowd(port: number, size: number): Socket[] {
  return Array.from({ length: size }, () => connect(port, "127.0.0.1").on("error", () => {}));
}

describe("a service that listens", () => {
  it.runIf(platform() === "linux")("takes in many connections in one turn of the event loop", async () => {
    const { server, close, port } = await start();
    closing.push(close);
    let turns = 0;
    let accepted = 0;
    const all = new Promise<void>((resolve) =>
      server.server.on("connection", () => (accepted += 1) === CONNECTIONS && resolve()),
    );
    const sockets = crowd(port, CONNECTIONS);
    closing.push(() => sockets.forEach((socket) => socket.destroy()));
    // They are all there before the first one is looked at.
    const untilMs = performance.now() + 50;
    while (performance.now() < untilMs);
    let counter = setImmediate(function count() {
      turns += 1;
      counter = setImmediate(count);
    });
    await all;
    clearImmediate(counter);
    expect(turns).toBeLessThan(CONNECTIONS / 2);
  });

  it("is told that another one has the port, whoever it is", async () => {
    const { close, port } = await start();
    closing.push(close);
    await expect(listenAt(fastify(), place(port))).rejects.toMatchObject({ code: "EADDRINUSE" });
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    closing.push(() => other.close());
    const taken = (other.address() as AddressInfo).port;
    await expect(listenAt(fastify(), place(taken))).rejects.toMatchObject({ code: "EADDRINUSE" });
  });

  it("answers what it was asked before it closes, through every door, and takes in nobody more", async () => {
    const { close, port, asked, answer } = await start();
    const sockets = crowd(port, 20);
    const asking = request({ port, host: "127.0.0.1", headers: { connection: "keep-alive" } }).end();
    const reply = once(asking, "response");
    await asked;
    const closed = close();
    await expect(once(connect(port, "127.0.0.1"), "connect")).rejects.toThrow(/ECONNRE(FUSED|SET)/);
    answer();
    const [response] = (await reply) as [{ statusCode: number; resume(): void }];
    response.resume();
    expect(response.statusCode).toBe(200);
    await closed;
    sockets.forEach((socket) => socket.destroy());
  });
});
