import * as fc from "fast-check";
import type { Part, Parts } from "../bytes.ts";
import {
  authenticationOk,
  complete,
  dataRow,
  hexOf,
  int32,
  message,
  parsedAndBound,
  readyForQuery,
  rowDescription,
  welcome,
} from "../postgres-messages.ts";
import { hostileScripts } from "./scripts.ts";
import { upstreamDeeds } from "./upstream-deeds.ts";

const messageTypes = fc.constantFrom(...Array.from("RKSZTDCEN1234nsIAGHWVtcdv"));
const contents = fc.oneof(
  fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString("hex")),
  fc.constantFrom(
    "",
    int32(0),
    int32(3),
    int32(5),
    int32(10),
    int32(99),
    `${hexOf("SERROR")}00`,
    "ffff",
    "7fff",
    "0001ffffffff",
  ),
);
const messages: fc.Arbitrary<Part> = fc.oneof(
  fc.tuple(messageTypes, contents).map(([type, content]) => message(type, content)),
  fc
    .tuple(messageTypes, fc.constantFrom(0, 1, 4, 5, 1_000_000, 0x7fffffff, -1), contents)
    .map(([type, length, content]) => ({ hex: hexOf(type) + int32(length) + content })),
  fc.constantFrom(
    authenticationOk,
    readyForQuery,
    complete("SELECT 1"),
    rowDescription(["a", "b"]),
    dataRow(["1", "2"]),
  ),
  fc
    .constantFrom(1, 100, 1_600)
    .map((count) => rowDescription(Array.from({ length: count }, (_, at) => `c${at}`))),
  fc.constantFrom(1, 100, 1_600).map((count) => dataRow(Array(count).fill("[".repeat(50)))),
);
const rows: fc.Arbitrary<Parts> = fc
  .tuple(fc.array(messages, { maxLength: 5 }), fc.constantFrom(1, 1_000, 11_000, 300_000))
  .map(([odd, times]) => [
    ...parsedAndBound,
    rowDescription(["a"]),
    { ...(dataRow(["1"]) as { hex: string }), times },
    ...odd,
    complete("SELECT 1"),
    readyForQuery,
  ]);

export const postgresDeeds = upstreamDeeds(
  ["postgres"],
  hostileScripts(
    fc.oneof(
      rows.map((reply) => ({ replies: [...welcome, reply] })),
      fc
        .array(fc.array(messages, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 4 })
        .map((replies) => ({ replies })),
    ),
  ),
);
