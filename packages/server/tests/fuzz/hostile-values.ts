import * as fc from "fast-check";

const LONG = 100_000;

/** Texts that broke something somewhere. */
export const hostileTexts: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    "",
    " ",
    "\0",
    "a\0b",
    "\uD800",
    "\uDC00\uD800",
    "\uFEFF",
    "\u202Etxet",
    "../../etc/passwd",
    "..",
    "%00",
    "%",
    "%E0%A4%A",
    "null",
    "undefined",
    "NaN",
    "[object Object]",
    "__proto__",
    "constructor",
    "toString",
    "-1",
    "0",
    "1e999",
    "99999999999999999999",
    "999999w",
    "0x10",
    "true",
    "{}",
    "[]",
    "{{ nodes.start }}",
    "${7*7}",
    "'; DROP TABLE runs; --",
    "' OR '1'='1",
    "\\",
    '"',
    "\r\nx-injected: 1",
    "9999-99-99T99:99:99Z",
    "+275760-09-13T00:00:00.000Z",
    "-271821-04-20T00:00:00.000Z",
    "0000-01-01",
    "2026-02-30",
    "today,yesterday",
    "WAITING,",
    ",,,,",
    "WAITING".repeat(60),
    "MTc2MDAwMDAwMDAwMC5ydW5f",
    "OTk5OTk5OTk5OTk5OTk5LnJ1bl96eg",
    "MC5ydW5fMA",
  ),
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.string({ unit: "grapheme", maxLength: 30 }),
  fc.constantFrom(513, 2_049, LONG).map((length) => "a".repeat(length)),
);

const nested = (depth: number, kind: "array" | "object"): unknown => {
  let value: unknown = 1;
  for (let at = 0; at < depth; at++) value = kind === "array" ? [value] : { a: value };
  return value;
};

/** Values of the wrong type, of no sense, or too much of everything. */
export const hostileValues: fc.Arbitrary<unknown> = fc.oneof(
  hostileTexts,
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -0,
    -1,
    1.5,
    5e-324,
    1.797_693_134_862_315_7e308,
    Number.MAX_SAFE_INTEGER,
    2 ** 31,
    2 ** 63,
    [],
    {},
    [[]],
    [null],
    { length: 1e9 },
    { toJSON: "x" },
    { toString: 1, valueOf: 1 },
    { constructor: { prototype: { polluted: true } } },
    { $ref: "#" },
  ),
  fc
    .tuple(fc.constantFrom(8, 63, 64, 200), fc.constantFrom("array", "object"))
    .map(([depth, kind]) => nested(depth, kind)),
  fc.constantFrom(11, 1_000).map((length) => Array.from({ length }, (_, at) => `tag ${at}`)),
  fc
    .constantFrom(100, 2_000)
    .map((length) => Object.fromEntries(Array.from({ length }, (_, at) => [`key${at}`, at]))),
  fc.dictionary(hostileTexts, fc.integer(), { maxKeys: 3 }),
);

/** A value with some of its parts taken away, replaced or added. */
export function mutated(value: unknown): fc.Arbitrary<unknown> {
  return fc
    .array(fc.tuple(fc.nat({ max: 30 }), fc.constantFrom("drop", "replace", "add"), hostileValues), {
      minLength: 1,
      maxLength: 3,
    })
    .map((changes) =>
      changes.reduce((result, [at, change, hostile]) => changeAt(result, at, change, hostile), value),
    );
}

function changeAt(value: unknown, at: number, change: string, hostile: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return hostile;
  const keys = Object.keys(value);
  const key = keys[at % (keys.length + 1)];
  if (key === undefined) return change === "add" ? { ...value, [`extra${at}`]: hostile } : hostile;
  const inner = (value as Record<string, unknown>)[key];
  // Half of the changes go deeper where there is something deeper.
  if (at % 2 === 1 && typeof inner === "object" && inner !== null)
    return { ...value, [key]: changeAt(inner, at >> 1, change, hostile) };
  const { [key]: _, ...rest } = value as Record<string, unknown>;
  return change === "drop" ? rest : { ...value, [key]: hostile };
}

/** One in nine is another; in all the rest a request is right, so that it gets deep. */
export function mostly<Value>(usual: Value, others: fc.Arbitrary<Value>): fc.Arbitrary<Value> {
  return fc.oneof({ weight: 8, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: others });
}
