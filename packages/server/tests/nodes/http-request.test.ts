import type { IncomingHttpHeaders } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readText, startLoopbackServer, type LoopbackServer } from "../support/loopback-server.ts";
import { openOutside, type Outside } from "./outside.ts";
import { errorOf, outputOf } from "./run-node.ts";

interface Seen {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

let server: LoopbackServer;
let outside: Outside;
let seen: Seen[];

beforeAll(async () => {
  outside = openOutside();
  server = await startLoopbackServer(async (request, response) => {
    seen.push({
      method: request.method ?? "",
      url: request.url ?? "",
      headers: request.headers,
      body: await readText(request),
    });
    const path = new URL(request.url ?? "", "http://x").pathname;
    if (path === "/hang") return;
    if (path === "/binary") return void response.end(Buffer.from([0xff, 0xfe, 0x00]));
    if (path === "/text") return void response.setHeader("content-type", "text/plain").end("grüße");
    if (path === "/empty") return void response.writeHead(204).end();
    if (path === "/broken") return void response.setHeader("content-type", "application/json").end("{oops");
    if (path.startsWith("/status/"))
      return void response.writeHead(Number(path.slice(8))).end("what happened");
    response.setHeader("content-type", "application/problem+json").end('{"ok":true}');
  });
});

beforeEach(() => {
  seen = [];
});

afterAll(async () => {
  await outside.close();
  await server.close();
});

const call = (inputs: Record<string, unknown>, parts = {}) =>
  outputOf(
    "http-request",
    { ...inputs, url: server.url + String(inputs["url"]) },
    { services: outside, ...parts },
  );

describe("http-request", () => {
  it("sends JSON and reads JSON by content type", async () => {
    const output = await call({
      url: "/a?x=1",
      body: { n: 1 },
      query: { list: [1, 2], none: null, flag: true },
    });
    expect(output).toMatchObject({ status: 200, body: { ok: true } });
    expect(seen[0]).toMatchObject({ method: "POST", url: "/a?x=1&list=1&list=2&flag=true", body: '{"n":1}' });
    expect(seen[0]?.headers["content-type"]).toBe("application/json");
  });

  it("sends text as it is and a form where the header asks for one", async () => {
    await call({ url: "/", method: "PUT", body: "plain" });
    await call({
      url: "/",
      body: { a: "x y", b: 2 },
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
    });
    expect(seen.map(({ method, body }) => [method, body])).toEqual([
      ["PUT", "plain"],
      ["POST", "a=x+y&b=2"],
    ]);
  });

  it("gives bodies as text, as base64 with a mark, or as nothing", async () => {
    expect((await call({ url: "/text" })).body).toBe("grüße");
    expect(await call({ url: "/binary" })).toMatchObject({ body: "//4A", bodyEncoding: "base64" });
    expect((await call({ url: "/empty" })).body).toBeNull();
    expect((await call({ url: "/broken" })).body).toBe("{oops");
  });

  it("sends an Idempotency-Key of run and node that stays the same, unless the author has one", async () => {
    await call({ url: "/" });
    await call({ url: "/" }, { attempt: 2 });
    await call({ url: "/", headers: { "idempotency-KEY": "mine" } });
    expect(seen.map(({ headers }) => headers["idempotency-key"])).toEqual([
      "run_1:node[2]",
      "run_1:node[2]",
      "mine",
    ]);
  });

  it.each([
    ["http-bearer", { token: "tok-12345" }, "authorization", "Bearer tok-12345"],
    ["http-basic", { user: "ada", password: "pw-12345" }, "authorization", `Basic ${btoa("ada:pw-12345")}`],
    ["http-header", { name: "X-Api-Key", value: "key-12345" }, "x-api-key", "key-12345"],
  ])("uses a credential of type %s", async (type, secret, header, value) => {
    const credential = { id: "cred_1", type, allowedHosts: ["127.0.0.1"], allowUnencrypted: true, secret };
    await call({ url: "/" }, { credential });
    expect(seen[0]?.headers[header]).toBe(value);
  });

  it.each([
    ["/status/404", [200, 404]],
    ["/status/503", "5xx"],
    ["/status/301", 301],
  ])("takes %s as a success where it is expected", async (url, expected) => {
    expect((await call({ url, expect: expected })).status).toBe(Number(url.slice(8)));
  });

  it("fails on any other status and shows what the server said", async () => {
    const error = await errorOf("http-request", { url: `${server.url}/status/500` }, { services: outside });
    expect([error.name, error.message]).toEqual([
      "HttpStatusUnexpected",
      "The server answered 500: what happened",
    ]);
  });

  it.each([
    [{ url: "not an address" }, "RequestInvalid"],
    [{ url: "http://127.0.0.1/", method: "GET", body: {} }, "RequestInvalid"],
  ])("refuses what cannot be sent: %j", async (inputs, name) => {
    expect((await errorOf("http-request", inputs, { services: outside })).name).toBe(name);
  });

  it("names a credential that does not hold what its type needs", async () => {
    const credential = {
      id: "cred_1",
      type: "http-basic",
      allowedHosts: ["127.0.0.1"],
      allowUnencrypted: true,
      secret: { user: "ada" },
    };
    const error = await errorOf("http-request", { url: server.url }, { services: outside, credential });
    expect([error.name, error.message]).toEqual([
      "CredentialInvalid",
      "The credential cred_1 lacks or misstates: password.",
    ]);
  });

  it("stops when it is aborted", async () => {
    const controller = new AbortController();
    const failure = errorOf(
      "http-request",
      { url: `${server.url}/hang` },
      { services: outside, signal: controller.signal },
    );
    await expect.poll(() => seen.length).toBe(1);
    controller.abort(new Error("canceled"));
    expect((await failure).message).toMatch(/cancel|abort/i);
  });
});
