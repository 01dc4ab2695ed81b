import { expect, it } from "vitest";
import { hasFormat } from "../../../src/domain/json-schema/formats.ts";

it.each([
  ["date", ["2024-02-29", "0001-01-01"], ["2026-02-29", "2026-13-01", "2026-1-1", "x"]],
  ["time", ["10:00:00Z", "23:59:60.5+02:00"], ["24:00:00Z", "10:00:00", "10:00Z"]],
  [
    "date-time",
    ["2026-01-02T03:04:05Z", "2026-01-02t03:04:05.678-05:30"],
    ["2026-01-02", "2026-01-02X03:04:05Z", "2026-02-30T00:00:00Z"],
  ],
  ["duration", ["P1D", "PT5M", "P1Y2M3DT4H5M6S", "P3W"], ["P", "PT", "1D", "P1H"]],
  [
    "email",
    ["ada@example.com", "a.b+c@x.y.z"],
    ["ada", "a@", "@b.c", ".a@b.c", "a..b@c.d", "a@-b.c", "a b@c.d"],
  ],
  ["hostname", ["localhost", "a-b.example"], ["-a", "a_b", "a..b", `${"a".repeat(64)}.b`]],
  ["ipv4", ["127.0.0.1"], ["256.0.0.1", "1.2.3", "::1"]],
  ["ipv6", ["::1", "2001:db8::1"], ["127.0.0.1", "fe80::1%eth0", ":"]],
  ["uri", ["https://a.example/x?y#z", "mailto:a@b.c", "urn:x:y"], ["/a", "a b:c", "https://a b", "http://"]],
  ["uuid", ["018f3a6e-7c1d-7b7a-8c3f-0123456789AB"], ["018f3a6e7c1d7b7a8c3f0123456789ab"]],
])("the format %s", (format, right, wrong) => {
  expect([...right, ...wrong].map((one) => [one, hasFormat(format, one)])).toEqual([
    ...right.map((one) => [one, true]),
    ...wrong.map((one) => [one, false]),
  ]);
  expect(hasFormat(format, "1".repeat(3_000))).toBe(false);
});
