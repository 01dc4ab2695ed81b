import { expect, it } from "vitest";
import { isLoopback } from "../../src/domain/loopback.ts";
import { hashToken, looksLikeSecretToken, makeSecretToken } from "../../src/domain/session-token.ts";

it("a loopback name or address never leaves the machine", () => {
  const own = ["localhost", "LOCALHOST.", "app.localhost", "127.0.0.1", "127.9.8.7", "::1", "[::1]"];
  const others = [
    "0.0.0.0",
    "::",
    "10.0.0.1",
    "evil.example",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "",
  ];
  expect(own.map(isLoopback)).toEqual(own.map(() => true));
  expect(others.map(isLoopback)).toEqual(others.map(() => false));
});

it("a secret token has 256 bits and is kept as a hash", () => {
  const token = makeSecretToken();
  expect(Buffer.from(token, "base64url")).toHaveLength(32);
  expect([token, `${token}x`, "", "a b"].map(looksLikeSecretToken)).toEqual([true, false, false, false]);
  expect(hashToken(token)).toHaveLength(32);
  expect(makeSecretToken()).not.toBe(token);
});
