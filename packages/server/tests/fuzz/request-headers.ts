import * as fc from "fast-check";
import { type FuzzWorkspace, ownerOf } from "./fuzz-workspace.ts";
import { hostileTexts, mostly } from "./hostile-values.ts";
import type { Operation } from "./operations.ts";

/** The right key, another one, or something that looks like one. */
export function keyHeaders(
  { name }: Operation,
  { keys }: FuzzWorkspace,
): fc.Arbitrary<readonly [string, string][]> {
  const right = keys[ownerOf(name)]!;
  const usual: [string, string][] = [["authorization", `Bearer ${right}`]];
  const other = fc.oneof(
    fc.constantFrom(...Object.values(keys)).map((key): [string, string][] => [["x-api-key", key]]),
    fc.constantFrom<[string, string][]>(
      [],
      [["authorization", `ApiKey ${right}`]],
      [["authorization", `bearer   ${right}`]],
      [
        ["authorization", `Bearer ${right}`],
        ["x-api-key", keys["two"]!.split("").toReversed().join("")],
      ],
      [
        ["x-api-key", right],
        ["x-api-key", right],
      ],
      [
        ["authorization", `Bearer ${right}`],
        ["authorization", `Bearer ${keys["user"]!}`],
      ],
      [["authorization", "Basic YTpi"]],
      [["authorization", ""]],
      [["authorization", `Bearer ${right}x`]],
      [["authorization", `Bearer ${"k".repeat(10_000)}`]],
      [["x-api-key", "mr_org_é"]],
    ),
  );
  return mostly(usual, other);
}

export const contentTypes = fc.constantFrom<string | undefined>(
  undefined,
  "",
  "application/json; charset=utf-8",
  "application/json; charset=utf-16",
  "application/json;;;",
  "application/problem+json",
  "APPLICATION/JSON",
  "text/plain",
  "text/html",
  "application/x-www-form-urlencoded",
  "multipart/form-data",
  "multipart/form-data; boundary=",
  "application/octet-stream",
  "*/*",
  "nonsense",
  "application/json, text/plain",
  "a".repeat(5_000),
);

export const extraHeaders: fc.Arbitrary<[string, string]> = fc.oneof(
  fc.constantFrom<[string, string]>(
    ["content-encoding", "gzip"],
    ["content-encoding", "identity"],
    ["accept-encoding", "gzip, br"],
    ["accept", "text/event-stream"],
    ["accept", "text/html;q=0.9, */*;q=nonsense"],
    ["accept", "application/xml"],
    ["accept", ",;=,"],
    ["x-locale", "de"],
    ["x-locale", "__proto__"],
    ["x-locale", "xx-YY"],
    ["last-event-id", "0"],
    ["last-event-id", "-1"],
    ["last-event-id", "99999999999999999999"],
    ["last-event-id", "1e3"],
    ["x-idempotency-key", "same"],
    ["x-idempotency-key", "a b"],
    ["x-idempotency-key", "k".repeat(300)],
    ["x-forwarded-for", "' OR 1=1, 999.999.999.999"],
    ["x-http-method-override", "DELETE"],
    ["x-request-id", "mine"],
    ["expect", "100-continue"],
    ["range", "bytes=0-0"],
    ["if-none-match", "*"],
    ["upgrade", "websocket"],
    ["te", "trailers"],
    ["cookie", "a=b; __proto__=c"],
    ["host", "other"],
    ["x-long", "a".repeat(8_000)],
    ["__proto__", "x"],
    ["constructor", "x"],
  ),
  hostileTexts
    // Line breaks would end the header: those are for the tests of bare sockets.
    .map((text): [string, string] => [
      "x-anything",
      text
        .toWellFormed()
        .replaceAll(/[\r\n\0]/g, " ")
        .slice(0, 2_000),
    ]),
);
