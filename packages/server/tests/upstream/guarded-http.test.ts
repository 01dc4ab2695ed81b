import { createServer } from "node:http";
import { once } from "node:events";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { createGuardedHttp } from "../../src/upstream/guarded-http/client.ts";
import type { GuardedHttp, HttpCredential } from "../../src/upstream/guarded-http/guarded-http.ts";
import {
  failureOf,
  get,
  listenHttp,
  listenRaw,
  listenScript,
  privateAddress,
  testGuard,
  testHttp,
  type Listener,
} from "./support.ts";

const secret = "s3cret-canary";
const credential = (...allowedHosts: string[]): HttpCredential => ({
  allowedHosts,
  allowUnencrypted: true,
  header: { name: "X-Api-Key", value: secret },
});

let inside: Listener;
let http: GuardedHttp;
const open: Listener[] = [];
const names = {
  "api.example.com": ["127.0.0.2"],
  "other.example.org": ["127.0.0.2"],
  "inside.test": ["127.0.0.1"],
};

beforeAll(async () => {
  inside = await listenRaw(
    (socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"),
    privateAddress,
  );
  http = testHttp(names);
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((listener) => listener.close()));
});
afterAll(async () => {
  await http.close();
  expect(inside.accepted()).toBe(0);
  await inside.close();
});

async function script(...parameters: Parameters<typeof listenScript>) {
  const listener = await listenScript(...parameters);
  open.push(listener);
  return listener;
}

it("a request carries method, headers and body, and its answer comes back whole", async () => {
  const upstream = await script({ "/a?b=1": { status: 201, headers: { "x-answer": "yes" }, body: "made" } });
  const answer = await http.request(
    get(`${upstream.url}/a?b=1#part`, {
      method: "post",
      headers: { "X-One": "1", Host: "evil.test" },
      body: "hello",
    }),
  );
  expect(answer.status).toBe(201);
  expect(answer.headers["x-answer"]).toBe("yes");
  expect(Buffer.from(answer.body).toString()).toBe("made");
  expect(upstream.seen[0]).toMatchObject({ method: "POST", body: "hello", headers: { "x-one": "1" } });
  expect(upstream.seen[0]?.headers.host).toBe(new URL(upstream.url).host);
});

describe("a URL that is no plain web address is refused", () => {
  it.each([
    "file:///etc/passwd",
    "ftp://127.0.0.2/",
    "gopher://127.0.0.2/",
    "data:text/plain,hi",
    "//127.0.0.2/",
    "not a url",
    "",
    "http://user:pass@127.0.0.2/",
    "http://user@127.0.0.2/",
    `http://${"a".repeat(300)}.test/`,
  ])("%s", async (url) => {
    const error = await failureOf(http.request(get(url)));
    expect(["UrlRefused", "AddressRefused"]).toContain(error.name);
    expect(error.message).not.toContain("pass@");
  });
});

it("a privileged port other than those of the web is open only on what the operator opened", async () => {
  const guard = testGuard({ "public.test": ["127.0.0.2"] });
  // Stands in for a public host: resolves and passes, but is not on the list of the operator.
  const merelyPublic = {
    ...guard,
    connect: (target: Parameters<typeof guard.connect>[0]) => dialled(target),
  };
  const targets: { port: number; onlyAllowListed?: boolean }[] = [];
  const dialled = (target: Parameters<typeof guard.connect>[0]) => {
    targets.push(target);
    return Promise.reject(new Error("not dialled in this test"));
  };
  const client = createGuardedHttp({ guard: merelyPublic });
  for (const port of [22, 25, 80, 443, 1023, 1024, 8080, 8443, 65535]) {
    await failureOf(client.request(get(`http://public.test:${port}/`)));
  }
  const closed = targets.filter((target) => target.onlyAllowListed).map((target) => target.port);
  expect(closed).toEqual([22, 25, 1023]);
  await client.close();
});

describe("redirects", () => {
  it("are followed, and the body goes along where the status says so", async () => {
    const upstream = await script({
      "/1": { status: 302, headers: { location: "/2" } },
      "/2": { status: 303, headers: { location: "/end" } },
      "/307": { status: 307, headers: { location: "/end" } },
      "/end": { status: 200, body: "end" },
    });
    await http.request(
      get(`${upstream.url}/1`, { method: "POST", body: "x", headers: { "content-type": "a/b" } }),
    );
    await http.request(get(`${upstream.url}/307`, { method: "PUT", body: "x" }));
    const [, second, end, , kept] = upstream.seen;
    expect(second).toMatchObject({ method: "GET", body: "" });
    expect(second?.headers["content-type"]).toBeUndefined();
    expect(end).toMatchObject({ method: "GET", path: "/end" });
    expect(kept).toMatchObject({ method: "PUT", body: "x" });
  });

  it("to an address inside are refused and reach nothing", async () => {
    const targets = [
      "http://127.0.0.1:PORT/",
      "http://[::ffff:127.0.0.1]:PORT/",
      "//0:PORT/",
      "http://inside.test:PORT/",
    ];
    for (const target of targets) {
      const location = target.replace("PORT", String(inside.port));
      const upstream = await script({ "/": { status: 302, headers: { location } } });
      expect((await failureOf(http.request(get(`${upstream.url}/`)))).name).toBe("AddressRefused");
    }
    const upstream = await script({ "/": { status: 302, headers: { location: "file:///etc/passwd" } } });
    expect((await failureOf(http.request(get(`${upstream.url}/`)))).name).toBe("UrlRefused");
    expect(inside.accepted()).toBe(0);
  });

  it("end after five, and with 0 are an answer like another", async () => {
    const upstream = await script({ "/": { status: 302, headers: { location: "/" } } });
    expect((await failureOf(http.request(get(`${upstream.url}/`)))).name).toBe("RedirectRefused");
    expect(upstream.seen).toHaveLength(6);
    expect((await http.request(get(`${upstream.url}/`, { maxRedirects: 0 }))).status).toBe(302);
  });

  it("to another origin carry no credential and nothing that looks like one", async () => {
    const target = await script({ "/end": { status: 200 } });
    const upstream = await script({
      "/same": { status: 302, headers: { location: "/away" } },
      "/away": { status: 307, headers: { location: `http://other.example.org:${target.port}/end` } },
    });
    const headers = {
      authorization: "Bearer x",
      cookie: "a=b",
      "idempotency-key": "k",
      "x-auth-token": "t",
      "x-trace": "kept",
    };
    await http.request(
      get(`http://api.example.com:${upstream.port}/same`, {
        headers,
        credential: credential("api.example.com", "other.example.org"),
      }),
    );
    for (const seen of upstream.seen) expect(seen.headers).toMatchObject({ ...headers, "x-api-key": secret });
    expect(target.seen[0]?.headers["x-trace"]).toBe("kept");
    expect(JSON.stringify(target.seen)).not.toMatch(/s3cret|Bearer|a=b|idempotency|auth-token/);
  });
});

describe("a credential", () => {
  it.each([
    ["api.example.com", true],
    ["API.example.com", true],
    ["*.example.com", true],
    ["api.example.com:PORT", true],
    ["api.example.com:1", false],
    ["example.com", false],
    ["*.api.example.com", false],
    ["*.ample.com", false],
    ["*", false],
    ["*.", false],
    ["", false],
    ["other.example.org", false],
  ])("for %s is sent to api.example.com: %s", async (entry, sent) => {
    const upstream = await script({ "/": { status: 200 } });
    const fields = { credential: credential(entry.replace("PORT", String(upstream.port))) };
    const call = http.request(get(`http://api.example.com:${upstream.port}/`, fields));
    if (sent) {
      await call;
      expect(upstream.seen[0]?.headers["x-api-key"]).toBe(secret);
    } else {
      const error = await failureOf(call);
      expect(error.name).toBe("CredentialRefused");
      expect(error.message).not.toContain(secret);
      expect(upstream.accepted()).toBe(0);
    }
  });

  it("that cannot be a header gives an error without it", async () => {
    const upstream = await script({ "/": { status: 200 } });
    const bad = {
      allowedHosts: ["127.0.0.2"],
      allowUnencrypted: true,
      header: { name: "x-key", value: `${secret}\r\nx: y` },
    };
    const error = await failureOf(http.request(get(`${upstream.url}/?q=${secret}`, { credential: bad })));
    expect(error.name).toBe("RequestInvalid");
    expect(`${error.message}${error.stack}`).not.toContain(secret);
  });
});

it("connections are kept, but never shared between organizations or credentials", async () => {
  const upstream = await script({ "/": { status: 200, body: "x" } });
  const ask = (organizationId: string, fields = {}) =>
    http.request(get(`${upstream.url}/`, { organizationId, ...fields }));
  const connectionsOf = async (calls: number, organizationId: string, fields = {}) => {
    const before = upstream.accepted();
    for (let call = 0; call < calls; call += 1) await ask(organizationId, fields);
    return upstream.accepted() - before;
  };
  // The client may open a second one while the first is being given back.
  expect(await connectionsOf(10, "org_a")).toBeLessThanOrEqual(2);
  expect(await connectionsOf(5, "org_a")).toBe(0);
  expect(await connectionsOf(1, "org_b")).toBe(1);
  expect(await connectionsOf(1, "org_a", { credential: credential("127.0.0.2") })).toBe(1);
});

it("compressed answers are unpacked", async () => {
  const text = "hello ".repeat(1000);
  const encodings = { gzip: gzipSync(text), br: brotliCompressSync(text), deflate: deflateSync(text) };
  for (const [encoding, body] of [...Object.entries(encodings), ["deflate", deflateRawSync(text)] as const]) {
    const upstream = await listenHttp((_request, response) => {
      response.writeHead(200, { "content-encoding": encoding }).end(body);
    });
    open.push(upstream);
    const answer = await http.request(get(upstream.url));
    expect(Buffer.from(answer.body).toString()).toBe(text);
    expect(answer.headers["content-encoding"]).toBeUndefined();
    const head = await http.request(get(upstream.url, { method: "HEAD" }));
    expect(head.body).toHaveLength(0);
  }
});

it("the environment's proxies are not asked", async () => {
  const proxy = await listenRaw((socket) => socket.end());
  open.push(proxy);
  const upstream = await script({ "/": { status: 200 } });
  vi.stubEnv("HTTP_PROXY", proxy.url);
  vi.stubEnv("http_proxy", proxy.url);
  const client = testHttp();
  expect((await client.request(get(`${upstream.url}/`))).status).toBe(200);
  expect(proxy.accepted()).toBe(0);
  vi.unstubAllEnvs();
  await client.close();
});

it("a server that cannot be reached is told in words", async () => {
  const gone = createServer().listen(0, "127.0.0.2");
  await once(gone, "listening");
  const { port } = gone.address() as { port: number };
  gone.close();
  expect((await failureOf(http.request(get(`http://127.0.0.2:${port}/`)))).name).toBe("ConnectFailed");
  expect((await failureOf(http.request(get("http://unknown.test/")))).name).toBe("NameNotFound");
});
