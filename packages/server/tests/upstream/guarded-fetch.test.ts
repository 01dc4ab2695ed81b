import { afterAll, afterEach, expect, it, vi } from "vitest";
import { failureOf, listenHttp, listenScript, testHttp, type Listener } from "./support.ts";

const http = testHttp({ "api.example.com": ["127.0.0.2"] });
const open: Listener[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((listener) => listener.close()));
});
afterAll(() => http.close());

it("speaks as fetch does, with the credential added by the guard", async () => {
  const upstream = await listenScript({
    "/v1": {
      status: 200,
      headers: { "content-type": "application/json", "set-cookie": "a=b" },
      body: '{"a":1}',
    },
    "/empty": { status: 204 },
    "/moved": { status: 302, headers: { location: "/v1" } },
  });
  open.push(upstream);
  const credential = {
    allowedHosts: ["api.example.com"],
    allowUnencrypted: true,
    header: { name: "authorization", value: "Bearer k" },
  };
  const fetch = http.fetchFor({ organizationId: "org_a", credential });
  const base = `http://api.example.com:${upstream.port}`;
  const response = await fetch(`${base}/v1`, { method: "POST", body: "{}", headers: { "x-a": "1" } });
  expect(response.ok).toBe(true);
  expect(response.url).toBe(`${base}/v1`);
  expect(await response.json()).toEqual({ a: 1 });
  expect(upstream.seen[0]).toMatchObject({
    method: "POST",
    body: "{}",
    headers: { authorization: "Bearer k", "x-a": "1" },
  });
  expect((await fetch(new URL(`${base}/empty`))).status).toBe(204);
  expect((await fetch(new Request(`${base}/moved`))).status).toBe(200);
  expect((await fetch(`${base}/moved`, { redirect: "manual" })).status).toBe(302);
  await expect(fetch(`http://127.0.0.2:${upstream.port}/v1`)).rejects.toMatchObject({
    name: "CredentialRefused",
  });
});

it("refuses what the guard refuses, and unpacks no more than allowed", async () => {
  const upstream = await listenHttp((_request, response) => response.end("x".repeat(2000)));
  open.push(upstream);
  const fetch = http.fetchFor({ organizationId: "org_a", maxBytes: 1000 });
  await expect(fetch("http://127.0.0.1:1/")).rejects.toMatchObject({ name: "AddressRefused" });
  const response = await fetch(upstream.url);
  await expect(response.text()).rejects.toMatchObject({ name: "ResponseTooLarge" });
});

it("hands over a stream while it is still being sent, and ends it with the time limit", async () => {
  const next = Promise.withResolvers<void>();
  const upstream = await listenHttp(async (_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).write("data: 1\n\n");
    await next.promise;
    response.write("data: 2\n\n");
  });
  open.push(upstream);
  const response = await http.fetchFor({ organizationId: "org_a", totalMs: 3_000 })(upstream.url);
  const reader = (response.body ?? new ReadableStream<Uint8Array>()).getReader();
  expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe("data: 1\n\n");
  next.resolve();
  expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe("data: 2\n\n");
  expect((await failureOf(reader.read())).name).toBe("HttpTimeout");
  await vi.waitFor(() => expect(upstream.open()).toBe(0), { timeout: 30_000 });
});

it("a caller's abort, or a stream given up, closes the connection; the abort is told as the caller's own", async () => {
  const upstream = await listenHttp((_request, response) => response.writeHead(200).write("some"));
  open.push(upstream);
  const fetch = http.fetchFor({ organizationId: "org_a" });
  const abort = new AbortController();
  const response = await fetch(upstream.url, { signal: abort.signal });
  abort.abort();
  await expect(response.text()).rejects.toMatchObject({ name: "AbortError" });
  await expect(fetch(upstream.url, { signal: AbortSignal.abort() })).rejects.toMatchObject({
    name: "AbortError",
  });
  const given = await fetch(upstream.url);
  await given.body?.cancel();
  const unread = new AbortController();
  await fetch(upstream.url, { signal: unread.signal });
  unread.abort();
  await vi.waitFor(() => expect(upstream.open()).toBe(0), { timeout: 30_000 });
});
