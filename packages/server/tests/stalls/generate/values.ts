import * as fc from "fast-check";
import type { Recipe } from "../recipes.ts";

/** Small ones are tried when a finding is made smaller; the large ones are as much as the limits allow. */
export const sizes = fc.constantFrom(0, 1, 10, 100, 1_000, 10_000, 60_000, 300_000, 1_000_000, 2_800_000);

const units = fc.constantFrom(
  "a",
  " ",
  "ab",
  "aab",
  "\n",
  "\t ",
  "ä",
  "😀",
  "0",
  "1,",
  "\\",
  '"',
  "<a>",
  "a=1&",
  "{{",
  "$&",
  "\u2028",
  "İ",
  ".",
  "-",
  "/",
  "[",
  "a \n",
);

export const largeTexts: fc.Arbitrary<Recipe> = fc
  .record({
    unit: units,
    size: sizes,
    odd: fc.constantFrom<object>(
      {},
      { begin: "b" },
      { middle: "b" },
      { end: "b" },
      { begin: "a@", end: " " },
      { begin: "https://", end: "\0" },
    ),
  })
  .map(({ unit, size, odd }) => ({ $text: unit, times: Math.floor(size / unit.length), ...odd }));

const small: fc.Arbitrary<Recipe> = fc.constantFrom<Recipe>(
  1,
  "a",
  "",
  null,
  true,
  -0.5,
  1e300,
  [],
  {},
  [1],
  { a: 1 },
  { id: 1, name: "x", b: [1, 2] },
  "2026-01-01T00:00:00Z",
);

export const largeLists: fc.Arbitrary<Recipe> = fc.oneof(
  fc.record({ $list: fc.oneof(small, fc.array(small, { maxLength: 4 })), times: sizes }),
  sizes.map((size) => ({ $numbers: size })),
  fc.record({ $texts: fc.constantFrom("t", "", "a".repeat(1_000), "constructor"), times: sizes }),
  fc.record({
    $list: fc.record({ $deep: fc.constantFrom("list", "object"), depth: fc.nat(40), value: small }),
    times: sizes,
  }) as fc.Arbitrary<Recipe>,
  fc.record({ $list: fc.record({ $keys: fc.constant("k"), times: fc.nat(50), value: small }), times: sizes }),
);

export const largeObjects: fc.Arbitrary<Recipe> = fc.oneof(
  fc.record({ $keys: fc.constantFrom("k", "", "a long name of a key ", "1"), times: sizes, value: small }),
  fc.record({
    $deep: fc.constantFrom("list", "object"),
    depth: fc.nat(60),
    value: small,
  }) as fc.Arbitrary<Recipe>,
  fc.record({ $keys: fc.constant("k"), times: fc.nat(60), value: largeLists }),
  fc.record({ $keys: fc.constant("k".repeat(20_000)), times: fc.nat(10), value: largeLists }),
);

export const values: fc.Arbitrary<Recipe> = fc.oneof(largeTexts, largeLists, largeObjects, small);
