import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAddressGuard } from "../../src/upstream/address-guard.ts";
import { isPublicAddress } from "../../src/upstream/address-rules.ts";
import { failureOf, get, listenRaw, testGuard, testHttp, type Listener } from "./support.ts";

/** Ways to write loopback; `PORT` is the port of a listener there. */
const insideForms = [
  "http://127.0.0.1:PORT/",
  "http://127.1:PORT/",
  "http://2130706433:PORT/",
  "http://0x7f.1:PORT/",
  "http://0x7f000001:PORT/",
  "http://0177.0.0.1:PORT/",
  "http://017700000001:PORT/",
  "http://0:PORT/",
  "http://0.0.0.0:PORT/",
  "http://①②⑦.⓪.⓪.①:PORT/",
  "http://127.0.0.1.:PORT/",
  "http://[::1]:PORT/",
  "http://[::]:PORT/",
  "http://[::ffff:127.0.0.1]:PORT/",
  "http://[::ffff:7f00:1]:PORT/",
  "http://[0:0:0:0:0:ffff:127.0.0.1]:PORT/",
  "http://localhost:PORT/",
  "http://LOCALHOST.:PORT/",
  "http://a.localhost:PORT/",
  "http://printer.local:PORT/",
  "http://db.internal:PORT/",
  "http://metadata.google.internal:PORT/",
  "http://metadata:PORT/",
];

/** Only judged, never asked for: a test that fails must not send anything beyond loopback. */
const otherForms = [
  "http://[::127.0.0.1]/",
  "http://[64:ff9b::127.0.0.1]/",
  "http://[2002:7f00:1::]/",
  "http://169.254.169.254/latest/meta-data/",
  "http://168.63.129.16/",
  "http://10.0.0.1/",
  "http://172.16.0.1/",
  "http://192.168.1.1/",
  "http://100.64.0.1/",
  "http://198.18.0.1/",
  "http://224.0.0.1/",
  "http://255.255.255.255/",
  "http://[fc00::1]/",
  "http://[fe80::1]/",
  "http://[fd00:ec2::254]/",
  "http://[ff02::1]/",
  "http://[2001:db8::1]/",
  "http://[3fff::1]/",
  "http://[64:ff9b:1::1]/",
];

let inside: Listener;
let insideV6: Listener | undefined;
beforeAll(async () => {
  inside = await listenRaw(
    (socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"),
    "127.0.0.1",
  );
  insideV6 = await listenRaw((socket) => socket.end(), "::1").catch(() => undefined);
});
afterAll(async () => {
  await inside.close();
  await insideV6?.close();
});

const names = {
  localhost: ["127.0.0.1", "::1"],
  "metadata.google.internal": ["127.0.0.1"],
  "inside.test": ["127.0.0.1"],
  "mixed.test": ["127.0.0.2", "127.0.0.1"],
  "mixed-v6.test": ["127.0.0.2", "::1"],
  "mapped.test": ["::ffff:127.0.0.2"],
};

describe("an address inside is refused however it is written, and nothing reaches it", () => {
  const http = testHttp(names);
  afterAll(() => http.close());
  it.each([...insideForms, ...Object.keys(names).map((name) => `http://${name}:PORT/`)])(
    "%s",
    async (form) => {
      for (const port of [inside.port, insideV6?.port ?? inside.port]) {
        const error = await failureOf(http.request(get(form.replace("PORT", String(port)))));
        expect(error.name).toBe("AddressRefused");
      }
      expect(inside.accepted()).toBe(0);
      expect(insideV6?.accepted() ?? 0).toBe(0);
    },
  );
});

it.each(otherForms)("%s is refused", (form) => {
  expect(() => testGuard().checkHost(new URL(form).hostname)).toThrow("not allowed");
});

it("the same forms are refused when a plain socket is dialled", async () => {
  const guard = testGuard({
    ...names,
    "127.1": ["127.0.0.1"],
    "0x7f.1": ["127.0.0.1"],
    "2130706433": ["127.0.0.1"],
  });
  const hosts = [
    "127.0.0.1",
    "127.1",
    "0x7f.1",
    "2130706433",
    "[::1]",
    "::1",
    "::ffff:127.0.0.1",
    "::127.0.0.1",
  ];
  for (const host of [
    ...hosts,
    "fe80::1%lo",
    "localhost",
    "localhost.",
    "inside.test",
    "mixed.test",
    "",
    "a..",
    ".",
  ]) {
    const error = await failureOf(guard.connect({ host, port: inside.port }));
    expect(error.name, host).toBe("AddressRefused");
  }
  expect(inside.accepted()).toBe(0);
});

it("a name that changes its answer after the check is dialled at the checked address only", async () => {
  const outside = await listenRaw((socket) =>
    socket.end("HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n"),
  );
  let asked = 0;
  const rebind = () => ((asked += 1) === 1 ? ["127.0.0.2"] : ["127.0.0.1"]);
  const http = testHttp({ "rebind.test": rebind });
  expect((await http.request(get(`http://rebind.test:${outside.port}/`))).status).toBe(204);
  expect(asked).toBe(1);
  const error = await failureOf(http.request(get(`http://rebind.test:${outside.port}/`)));
  expect(error.name).toBe("AddressRefused");
  expect(outside.accepted()).toBe(1);
  expect(inside.accepted()).toBe(0);
  await http.close();
  await outside.close();
});

it("what the operator opens can be reached, localhost too where it stands for an opened address", async () => {
  const guard = testGuard({ localhost: ["::1", "127.0.0.1"] }, ["127.0.0.0/8"]);
  expect(await guard.resolve("localhost")).toEqual({ addresses: ["127.0.0.1"], allowListed: true });
  const socket = await guard.connect({ host: "localhost", port: inside.port });
  expect(socket.remoteAddress).toBe("127.0.0.1");
  socket.destroy();
  const closed = testGuard({ localhost: ["::1"] }, ["127.0.0.0/8"]);
  expect((await failureOf(closed.resolve("localhost"))).name).toBe("AddressRefused");
});

it("public addresses pass, and their names too", async () => {
  const guard = createAddressGuard({
    allow: [],
    resolve: () => Promise.resolve(["93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"]),
  });
  expect(() => guard.checkHost("1.1.1.1")).not.toThrow();
  expect(() => guard.checkHost("[2606:4700::1111]")).not.toThrow();
  expect(await guard.resolve("Example.COM.")).toMatchObject({ allowListed: false, addresses: { length: 2 } });
});

it("a dial is ended by its signal and by its time", async () => {
  const neverResolves = createAddressGuard({ allow: [], resolve: () => new Promise(() => {}) });
  const target = { host: "slow.test", port: 443 };
  expect((await failureOf(neverResolves.connect({ ...target, timeoutMs: 30 }))).name).toBe("ConnectTimeout");
  const signal = AbortSignal.abort();
  expect((await failureOf(neverResolves.connect({ ...target, signal }))).name).toBe("RequestCanceled");
});

it("an opened range that cannot be read is an error at the start", () => {
  expect(() => createAddressGuard({ allow: ["10.0.0.0/40"] })).toThrow();
  expect(() => createAddressGuard({ allow: ["intranet"] })).toThrow("not an address range");
});

it("no IPv4 address of a private range is ever public, in any IPv6 disguise", () => {
  const octet = fc.integer({ min: 0, max: 255 });
  const insideV4 = fc.oneof(
    fc.tuple(fc.constantFrom(0, 10, 127, 224, 240, 255), octet, octet, octet),
    fc.tuple(fc.constant(192), fc.constant(168), octet, octet),
    fc.tuple(fc.constant(169), fc.constant(254), octet, octet),
    fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), octet, octet),
    fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), octet, octet),
  );
  fc.assert(
    fc.property(insideV4, (octets) => {
      const plain = octets.join(".");
      const [a = 0, b = 0, c = 0, d = 0] = octets;
      const hex = [a * 256 + b, c * 256 + d].map((group) => group.toString(16)).join(":");
      const disguises = [
        plain,
        `::${plain}`,
        `::ffff:${plain}`,
        `64:ff9b::${plain}`,
        `2002:${hex}::1`,
        `2001:0:${hex}::1`,
      ];
      return disguises.every((address) => !isPublicAddress(address));
    }),
  );
});
