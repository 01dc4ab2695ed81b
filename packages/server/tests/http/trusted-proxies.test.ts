import { expect, it } from "vitest";
import { trustedProxies } from "../../src/http/trusted-proxies.ts";

it("trusts the given networks, in either form of an address, and nobody without any", () => {
  expect(trustedProxies([])).toBe(false);
  const trusts = trustedProxies(["10.0.0.0/8", "fd00::/8"]) as (address: string, hop: number) => boolean;
  expect(["10.1.2.3", "fd00::1", "::ffff:10.1.2.3"].map((address) => trusts(address, 0))).toEqual([
    true,
    true,
    true,
  ]);
  expect(
    ["11.1.2.3", "fe80::1", "::ffff:11.1.2.3", "10.1", "unknown", ""].map((address) => trusts(address, 0)),
  ).toEqual(Array.from({ length: 6 }, () => false));
});

it("goes back ten proxies at most, however many a header names", () => {
  const trusts = trustedProxies(["10.0.0.0/8"]) as (address: string, hop: number) => boolean;
  expect(trusts("10.0.0.1", 9)).toBe(true);
  expect(trusts("10.0.0.1", 10)).toBe(false);
});
