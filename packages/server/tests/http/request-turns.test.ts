import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, describe, expect, it, vi } from "vitest";
import { inTurns, pauseFloods } from "../../src/http/request-turns.ts";

const CONNECTIONS = 600;
const IN_ONE_PACKET = 100;
const FLOODS = 12;
const IN_A_FLOOD = 1_000;
const MOST_IN_A_TURN = 100;

const ended: Socket[] = [];
let server: Server;
/** One in each turn, long after the client thinks so. */
let accepted = 0;
let close = () => {};
afterEach(() => close());

async function start(handle: RequestListener): Promise<number> {
  accepted = 0;
  server = createServer(inTurns(handle, (socket) => ended.push(socket)));
  pauseFloods(server);
  server.on("connection", () => (accepted += 1));
  server.listen(0, "127.0.0.1", CONNECTIONS);
  ended.length = 0;
  close = () => {
    server.close();
    server.closeAllConnections();
  };
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

function request(path = "/", body = ""): string {
  const method = body === "" ? "GET" : "POST";
  return `${method} ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}

/** The most that one turn of the event loop begins until so many have begun. */
async function mostInATurn(count: { begun: number }, total: number): Promise<number> {
  let most = 0;
  while (count.begun < total) {
    const before = count.begun;
    await nextTurn();
    most = Math.max(most, count.begun - before);
  }
  return most;
}

describe("requests that come in the same moment", () => {
  it("on many connections are begun a few at a time", async () => {
    const count = { begun: 0 };
    const port = await start((_, response) => {
      count.begun += 1;
      response.end("here");
    });
    const sockets = Array.from({ length: CONNECTIONS }, () => connect(port, "127.0.0.1"));
    await vi.waitUntil(() => accepted === sockets.length, { timeout: 60_000 });
    const answers = sockets.map((socket) => once(socket, "data"));
    for (const socket of sockets) socket.write(request());
    expect(await mostInATurn(count, CONNECTIONS)).toBeLessThanOrEqual(MOST_IN_A_TURN);
    await Promise.all(answers);
    for (const socket of sockets) socket.destroy();
  });

  it("on one connection are begun one after the other", async () => {
    const count = { begun: 0, open: 0, mostOpen: 0 };
    const port = await start((_, response) => {
      count.begun += 1;
      count.mostOpen = Math.max(count.mostOpen, (count.open += 1));
      // Before Node hears of it, and begins the next.
      response.prependOnceListener("finish", () => (count.open -= 1));
      response.end("here");
    });
    const socket = connect(port, "127.0.0.1");
    socket.resume().write(request().repeat(IN_ONE_PACKET));
    while (count.begun < IN_ONE_PACKET) await nextTurn();
    expect(count.mostOpen).toBe(1);
    socket.destroy();
  });

  it("are read a few connections at a time", async () => {
    const count = { begun: 0 };
    const port = await start((_, response) => {
      count.begun += 1;
      response.end("here");
    });
    let heard = 0;
    server.on("request", () => (heard += 1));
    const sockets = Array.from({ length: 50 }, () => connect(port, "127.0.0.1"));
    await vi.waitUntil(() => accepted === sockets.length, { timeout: 60_000 });
    const total = sockets.length * IN_ONE_PACKET;
    for (const socket of sockets) socket.resume().write(request().repeat(IN_ONE_PACKET));
    let most = 0;
    while (count.begun < total) {
      const before = heard;
      await nextTurn();
      most = Math.max(most, heard - before);
    }
    expect(most).toBeLessThanOrEqual(500 + IN_ONE_PACKET);
    for (const socket of sockets) socket.destroy();
  });

  it("are answered in their order, with what each has sent", async () => {
    const port = await start((incoming, response) => {
      void text(incoming).then(async (body) => {
        // Later ones would be ready sooner.
        if (body === "0") await new Promise((resolve) => setTimeout(resolve, 50));
        response.end(`<${incoming.url}:${body}>`);
      });
    });
    const socket = connect(port, "127.0.0.1");
    const paths = Array.from({ length: IN_ONE_PACKET }, (_, at) => String(at));
    socket.write(paths.map((path) => request(`/${path}`, path)).join(""));
    let answers = "";
    while (!answers.includes("</99:99>")) answers += String((await once(socket, "data"))[0]);
    expect([...answers.matchAll(/<\/(\d+):\1>/g)].map(([, path]) => path)).toEqual(paths);
    socket.destroy();
  });

  it("are not read on while one of them is not answered", async () => {
    const count = { begun: 0 };
    const port = await start(() => void (count.begun += 1));
    const socket = connect(port, "127.0.0.1");
    // Large ones, so that a packet holds few.
    socket.write(request("/", "x".repeat(10_000)).repeat(2_000));
    while (count.begun === 0) await nextTurn();
    // As long as anything of it still goes through.
    let written = -1;
    while (socket.bytesWritten - socket.writableLength !== written) {
      written = socket.bytesWritten - socket.writableLength;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    expect(count.begun).toBe(1);
    expect(socket.writableLength).toBeGreaterThan(0);
    expect(ended).toEqual([]);
    socket.destroy();
  });

  it("are forgotten with their connection", async () => {
    const count = { begun: 0 };
    const port = await start(() => void (count.begun += 1));
    const socket = connect(port, "127.0.0.1");
    socket.write(request().repeat(IN_ONE_PACKET));
    while (count.begun === 0) await nextTurn();
    socket.destroy();
    for (let turn = 0; turn < 50; turn += 1) await nextTurn();
    expect(count.begun).toBe(1);
  });

  it("are too many where ten thousand wait, until their connections have ended", async () => {
    const count = { begun: 0 };
    const port = await start((_, response) => {
      count.begun += 1;
      if (count.begun > FLOODS) response.end("here");
    });
    const sockets = Array.from({ length: FLOODS }, () => connect(port, "127.0.0.1"));
    for (const socket of sockets) socket.write(request().repeat(IN_A_FLOOD));
    await vi.waitUntil(() => ended.length > 0 && count.begun === FLOODS, { timeout: 60_000 });
    // Those that came first may wait.
    expect(new Set(ended).size).toBeLessThan(FLOODS / 2);
    server.closeAllConnections();
    ended.length = 0;
    const socket = connect(port, "127.0.0.1");
    let answers = "";
    socket.on("data", (data) => (answers += String(data))).write(request().repeat(IN_A_FLOOD));
    await vi.waitUntil(() => answers.split("here").length > IN_A_FLOOD, { timeout: 60_000 });
    expect(ended).toEqual([]);
    socket.destroy();
  });
});
