import * as fc from "fast-check";
import type { Script } from "../case.ts";
import { sizes } from "./values.ts";
import type { Part, Parts } from "../bytes.ts";

type Change =
  | { readonly what: "drop" | "twice" }
  | { readonly what: "insert"; readonly part: Part }
  | { readonly what: "often"; readonly times: number };

const noise: fc.Arbitrary<Part> = fc.oneof(
  fc
    .uint8Array({ minLength: 1, maxLength: 12 })
    .map((bytes) => ({ hex: Buffer.from(bytes).toString("hex") })),
  fc
    .tuple(fc.constantFrom("00", "ff", "0a", "0d0a", "20", "61", "5b", "7b", "22", "3a", "c3"), sizes)
    .map(([hex, times]) => ({ hex, times })),
);

const changes: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ what: fc.constantFrom("drop", "twice") }) as fc.Arbitrary<Change>,
  fc.record({ what: fc.constant("insert"), part: noise }) as fc.Arbitrary<Change>,
  fc.record({
    what: fc.constant("often"),
    times: fc.constantFrom(10, 1_000, 50_000),
  }) as fc.Arbitrary<Change>,
);

const MAX_REPLY_BYTES = 20_000_000;

function changed(parts: Parts, at: number, change: Change): Parts {
  const place = at % (parts.length + 1);
  const [before, here, after] = [
    parts.slice(0, place),
    parts.slice(place, place + 1),
    parts.slice(place + 1),
  ];
  switch (change.what) {
    case "drop":
      return [...before, ...after];
    case "twice":
      return [...before, ...here, ...here, ...after];
    case "insert":
      return [...before, change.part, ...here, ...after];
    case "often":
      return [...before, ...here.map((part) => often(part, change.times)), ...after];
  }
}

function often(part: Part, times: number): Part {
  const within = (bytes: number) => Math.min(times, Math.floor(MAX_REPLY_BYTES / Math.max(1, bytes)));
  if (typeof part === "string") return { repeat: part, times: within(part.length) };
  if ("hex" in part && part.times === undefined) return { ...part, times: within(part.hex.length / 2) };
  return part;
}

/** A conversation as it should be, with some of it lost, broken, repeated or without end. */
export function hostileScripts(
  right: fc.Arbitrary<{ readonly greeting?: Parts; readonly replies: readonly Parts[] }>,
): fc.Arbitrary<Script> {
  return fc
    .record({
      right,
      changes: fc.array(fc.tuple(fc.nat(30), fc.nat(30), changes), { maxLength: 3 }),
      chunkBytes: fc.constantFrom(undefined, undefined, 1_000, 64, 7),
      drip: fc.option(fc.record({ parts: noise.map((part) => [part]), times: fc.constantFrom(10, 500) }), {
        freq: 6,
        nil: undefined,
      }),
      end: fc.constantFrom("close", "hang", "reset", "again"),
    })
    .map(({ right: { greeting, replies }, changes, chunkBytes, drip, end }) => {
      const all: Parts[] = [...(greeting ? [greeting] : []), ...replies];
      for (const [reply, at, change] of changes) {
        const index = reply % all.length;
        all[index] = changed(all[index]!, at, change);
      }
      const rest = { ...(chunkBytes !== undefined && { chunkBytes }), ...(drip && { drip }), end };
      return greeting ? { greeting: all[0]!, replies: all.slice(1), ...rest } : { replies: all, ...rest };
    });
}
