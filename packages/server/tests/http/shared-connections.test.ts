import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { platform } from "node:os";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SharedConnections } from "../../src/http/shared-connections.ts";

const MAX = 8;
/** Of all, for one address. */
const MOST = 6;

const refused: string[] = [];
const sockets: Socket[] = [];
let connections: SharedConnections;
let server: ReturnType<typeof createServer>;

beforeEach(async () => {
  connections = new SharedConnections({ max: MAX, onRefused: (network) => refused.push(network) });
  server = createServer((_, response) => response.end("here"));
  connections.share(server, () => "req_test");
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  refused.length = 0;
  server.close();
});

async function ask(localAddress = "127.0.0.1"): Promise<{ socket: Socket; answer: string }> {
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: "127.0.0.1", localAddress });
  sockets.push(socket);
  socket.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
  const [answer] = (await once(socket, "data")) as [Buffer];
  return { socket, answer: answer.toString() };
}

async function askAll(count: number): Promise<Socket[]> {
  const asked: Socket[] = [];
  for (let at = 0; at < count; at += 1) {
    const { socket, answer } = await ask();
    expect(answer).toMatch(/^HTTP\/1.1 200 /);
    asked.push(socket);
  }
  return asked;
}

describe("the connections to a process", () => {
  it("are as many as it may have, whoever opens them, and whoever is refused is told", async () => {
    await askAll(MOST);
    const { answer, socket } = await ask();
    expect(answer).toMatch(/^HTTP\/1.1 503 .*connection: close.*service_unavailable/s);
    if (!socket.closed) await once(socket, "close");
    expect(refused).toEqual(["127.0.0.1"]);
    expect(connections.open).toBe(MOST);
  });

  it.runIf(platform() === "linux")("leave room for other addresses", async () => {
    await askAll(MOST);
    expect((await ask("127.0.0.2")).answer).toMatch(/^HTTP\/1.1 200 /);
    expect(connections.open).toBe(MOST + 1);
  });

  it("make room when they end", async () => {
    const [first] = await askAll(MOST);
    const before = connections.open;
    first!.destroy();
    while (connections.open === before) await new Promise(setImmediate);
    await askAll(1);
    expect(refused).toEqual([]);
  });
});
