import type { Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { createGuardedHttp } from "../../src/upstream/guarded-http/client.ts";
import { failureOf, get, listenHttp, listenRaw, testGuard, type Listener } from "./support.ts";

const HEAD = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Requests under way at once, as many as there may be connections, each with its answer begun. */
async function under(way: { requests: number; connections: number }) {
  const sockets: Socket[] = [];
  const listener: Listener = await listenRaw((socket) => {
    sockets.push(socket);
    socket.write(`${HEAD}6\r\nbegun \r\n`);
  });
  const http = createGuardedHttp({ guard: testGuard(), connectionsPerOrigin: way.connections });
  closing.push(
    () => http.close(),
    () => listener.close(),
  );
  const answers = Array.from({ length: way.requests }, () => http.request(get(listener.url)));
  while (sockets.length < Math.min(way.requests, way.connections)) await nextTurn();
  return { listener, sockets, answers };
}

describe("many connections to one host", () => {
  test("are all there at once, and no more than there may be", async () => {
    const { listener, sockets, answers } = await under({ requests: 150, connections: 130 });
    for (let turn = 0; turn < 20; turn += 1) await nextTurn();
    // Rounded up to whole agents.
    expect(listener.open()).toBeGreaterThanOrEqual(130);
    expect(listener.open()).toBeLessThanOrEqual(192);
    const ending = setInterval(
      () => sockets.splice(0).forEach((socket) => socket.end("5\r\nended\r\n0\r\n\r\n")),
      5,
    );
    const bodies = await Promise.all(answers);
    clearInterval(ending);
    expect(new Set(bodies.map(({ body }) => Buffer.from(body).toString()))).toEqual(new Set(["begun ended"]));
  });

  test.each([
    ["ended", (socket: Socket) => socket.destroy()],
    ["reset", (socket: Socket) => socket.resetAndDestroy()],
  ])("that are %s together are heard of in turns", async (_how, end) => {
    let turns = 0;
    let counter = setImmediate(function count() {
      turns += 1;
      counter = setImmediate(count);
    });
    const { sockets, answers } = await under({ requests: 60, connections: 60 });
    const heardIn = new Set<number>();
    const ends = answers.map(async (answer) => {
      const { name } = await failureOf(answer);
      heardIn.add(turns);
      return name;
    });
    for (const socket of sockets) end(socket);
    expect(new Set(await Promise.all(ends))).toEqual(new Set(["ConnectionLost"]));
    clearImmediate(counter);

    expect(heardIn.size).toBeGreaterThan(3);
  });

  test("that are all taken make requests wait, and one that is aborted there is never sent", async () => {
    const seen: string[] = [];
    const held: (() => void)[] = [];
    const listener = await listenHttp(({ url = "" }, response) => {
      seen.push(url);
      if (url === "/hold") held.push(() => response.end());
      else response.end();
    });
    const http = createGuardedHttp({ guard: testGuard(), connectionsPerOrigin: 2 });
    closing.push(
      () => http.close(),
      () => listener.close(),
    );
    const post = (path: string, signal?: AbortSignal) =>
      http.request(get(`${listener.url}${path}`, { method: "POST", body: "{}", ...(signal && { signal }) }));
    const holding = [post("/hold"), post("/hold")];
    while (held.length < 2) await nextTurn();
    const stop = new AbortController();
    const aborted = Array.from({ length: 20 }, () => failureOf(post("/aborted", stop.signal)));
    const waiting = Array.from({ length: 4 }, () => post("/waited"));
    await nextTurn();
    stop.abort();
    await Promise.all(aborted);
    for (const end of held) end();
    await Promise.all([...holding, ...waiting]);
    expect(seen).toEqual(["/hold", "/hold", "/waited", "/waited", "/waited", "/waited"]);
  });
});
