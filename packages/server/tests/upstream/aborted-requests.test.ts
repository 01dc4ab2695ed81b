import { afterEach, expect, it, vi } from "vitest";
import { createAddressGuard } from "../../src/upstream/address-guard.ts";
import { createGuardedHttp } from "../../src/upstream/guarded-http/client.ts";
import { failureOf, get, listenRaw, testHttp } from "./support.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

it("aborting closes the socket at once, before and during the answer", async () => {
  const client = testHttp();
  closing.push(() => client.close());
  for (const answer of ["", "HTTP/1.1 200 OK\r\n\r\nsome"]) {
    const asked = Promise.withResolvers<void>();
    const upstream = await listenRaw((socket) => socket.write(answer, () => asked.resolve()));
    closing.push(() => upstream.close());
    const abort = new AbortController();
    const call = failureOf(client.request(get(upstream.url, { signal: abort.signal })));
    await asked.promise;
    abort.abort();
    expect((await call).name).toBe("RequestCanceled");
    await vi.waitFor(() => expect(upstream.open()).toBe(0), { timeout: 1000, interval: 5 });
  }
});

it("aborting ends a request that has not even found its address", async () => {
  const guard = createAddressGuard({ allow: [], resolve: () => new Promise(() => {}) });
  const client = createGuardedHttp({ guard });
  closing.push(() => client.close());
  const abort = new AbortController();
  const call = failureOf(client.request(get("http://slow.test/", { signal: abort.signal })));
  setImmediate(() => abort.abort());
  expect((await call).name).toBe("RequestCanceled");
  const aborted = get("http://slow.test/", { signal: AbortSignal.abort() });
  expect((await failureOf(client.request(aborted))).name).toBe("RequestCanceled");
});
