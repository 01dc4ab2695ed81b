import { describe, expect, it } from "vitest";
import { apiKeyHint, looksLikeApiKey, makeApiKey } from "../../src/domain/api-key.ts";
import { clientNetwork } from "../../src/domain/client-network.ts";
import { secretTexts } from "../../src/domain/credential-secret.ts";
import { resolveSecret } from "../../src/domain/documents/resolve-secret.ts";
import { IdMaker, isId } from "../../src/domain/ids.ts";
import { webhookEnvelope } from "../../src/domain/webhook-envelope.ts";

describe("a key", () => {
  it("is known by its form and checksum", () => {
    for (const scope of ["org", "user"] as const) {
      const key = makeApiKey(scope);
      expect(looksLikeApiKey(key)).toBe(true);
      const other = key.at(-1) === "0" ? "1" : "0";
      expect(looksLikeApiKey(key.slice(0, -1) + other)).toBe(false);
      expect(looksLikeApiKey(key.slice(1))).toBe(false);
      expect(apiKeyHint(key)).toBe(`${key.slice(0, 11)}…${key.slice(-4)}`);
    }
  });
});

describe("ids of one process", () => {
  it("sort in the order in which they were made, also within a millisecond and when the clock goes back", () => {
    const times = [5, 5, 5, 9, 3, 10];
    const ids = new IdMaker(() => times.shift()!);
    const made = Array.from({ length: 6 }, () => ids.make("run"));
    expect(made).toEqual([...new Set(made)].sort());
    expect(made.every((id) => isId("run", id))).toBe(true);
    expect(["run_1", "run_" + "!".repeat(24), `queue_${"a".repeat(24)}`].some((id) => isId("run", id))).toBe(
      false,
    );
  });
});

it("ids of one millisecond stay in order beyond the digits of their last place", () => {
  const ids = new IdMaker(() => 7);
  const made = Array.from({ length: 10_000 }, () => ids.make("run"));
  expect(made).toEqual([...new Set(made)].sort());
});

describe("a caller", () => {
  it.each([
    [undefined, "gone"],
    ["192.0.2.7", "192.0.2.7"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["not:an:address", "not:an:address"],
  ])("from %s counts as %s", (address, network) => expect(clientNetwork(address)).toBe(network));
});

describe("the envelope of a webhook", () => {
  const envelope = (headers: object, query: unknown = {}) =>
    webhookEnvelope({ body: { a: 1 }, headers: headers as Record<string, string>, query });

  it("keeps neither credentials nor what proxies added", () => {
    const given = {
      authorization: "Bearer x",
      cookie: "a=b",
      "x-api-key": "k",
      via: "p",
      "x-forwarded-for": "1",
      "proxy-authorization": "x",
      constructor: "x",
      missing: undefined,
      "x-event": "pay\ud800",
      "x-many": ["a", "b"],
    };
    expect(envelope(given).headers).toEqual({ "x-event": "pay\ufffd", "x-many": "a, b" });
  });

  it("keeps 16 KB of headers", () => {
    const { headers } = envelope({ a: "x".repeat(10_000), b: "x".repeat(10_000), c: "x" });
    expect(Object.keys(headers)).toEqual(["a"]);
  });

  it("keeps the query, whatever it holds", () => {
    const query = JSON.parse('{"a":"1","b":["2","3"],"__proto__":"x"}');
    expect(envelope({}, query).query).toEqual({ a: "1", b: ["2", "3"] });
    expect(envelope({}, null)).toEqual({ body: { a: 1 }, headers: {}, query: {}, method: "POST" });
  });
});

describe("a secret", () => {
  const credential = (type: string, secret: object) =>
    ({ kind: "Credential", id: "c", organizationId: "o", name: "C", type, secret }) as never;

  it("is known by each of its texts, the longest first, but not by what is public", () => {
    expect(secretTexts({ token: "hunter22", name: "public-name" })).toEqual(["hunter22"]);
    expect(secretTexts({ user: "ada", password: "hunter22" })).toEqual([
      Buffer.from("ada:hunter22").toString("base64"),
      "hunter22",
    ]);
    expect(secretTexts({ password: "abc" })).toEqual([]);
    expect(secretTexts({ connectionString: "postgres://u:p%40ssword@h/d" })).toEqual([
      "postgres://u:p%40ssword@h/d",
      "p%40ssword",
      "p@ssword",
    ]);
    expect(secretTexts({ connectionString: "postgres://h/d" })).toEqual(["postgres://h/d"]);
    expect(secretTexts({ connectionString: "no address" })).toEqual(["no address"]);
  });

  it("is taken from the document or the environment, and every fault is told", () => {
    const env = { TOKEN: "t-1", EMPTY: "" };
    const resolve = (secret: object) => resolveSecret(credential("http-bearer", secret), env);
    expect(resolve({ token: "plain" })).toEqual({ secret: { token: "plain" }, kept: [] });
    expect(resolve({ token: { env: "TOKEN" } })).toEqual({ secret: { token: "t-1" }, kept: [] });
    expect(resolve({ token: { env: "EMPTY" }, b: { env: "MISSING" }, c: { env: "pgpassword" } })).toEqual({
      problems: [
        { path: ["secret", "token", "env"], message: "the variable EMPTY is not set" },
        { path: ["secret", "b", "env"], message: "the variable MISSING is not set" },
        {
          path: ["secret", "c", "env"],
          message: expect.stringContaining("a variable of the service itself"),
        },
      ],
    });
    expect(resolve({ tokn: "x" })).toMatchObject({
      problems: [{ path: ["secret", "token"] }, { path: ["secret"] }],
    });
  });
});
