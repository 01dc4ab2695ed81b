import * as fc from "fast-check";
import type { Answer, Chance, Failing, Items, Source } from "./case.ts";
import { features } from "./features.ts";

type Weighted<T> = { readonly weight: number; readonly arbitrary: fc.Arbitrary<T> };

export function oneOf<T>(entries: readonly Weighted<T>[]): fc.Arbitrary<T> {
  return fc.oneof(
    { withCrossShrink: true },
    ...entries
      .filter(({ weight }) => weight > 0)
      .map(({ weight, arbitrary }) => ({ weight: Math.ceil(weight * 10), arbitrary })),
  );
}

export const source: fc.Arbitrary<Source> = oneOf<Source>([
  { weight: 3, arbitrary: fc.record({ from: fc.constant("fixed" as const), value: fc.nat(3) }) },
  { weight: 6, arbitrary: fc.constant({ from: "before" }) },
  { weight: 2, arbitrary: fc.constant({ from: "item" }) },
  { weight: 2, arbitrary: fc.constant({ from: "index" }) },
  { weight: 1, arbitrary: fc.constant({ from: "text", of: { from: "before" } }) },
  { weight: 1, arbitrary: fc.constant({ from: "text", of: { from: "index" } }) },
]);

/** What a condition looks at. */
export const decisive = source.map((one): Source => (one.from === "text" ? { from: "index" } : one));

export const chance = fc.constantFrom<Chance>(
  "shuffle",
  "random",
  "millis",
  "now",
  "code-random",
  "code-date",
  "code-uuid",
);

export function rarely<T>(rare: fc.Arbitrary<T>, often: T): fc.Arbitrary<T> {
  return fc.oneof({ weight: 5, arbitrary: fc.constant(often) }, { weight: 1, arbitrary: rare });
}

export const once = (failing: Failing): Failing => ({ ...failing, attempts: 1 });

export const answer: fc.Arbitrary<Answer> = oneOf<Answer>([
  {
    weight: 14,
    arbitrary: fc.record({ kind: fc.constant("ok" as const), ms: fc.constantFrom(0, 0, 30) }),
  },
  { weight: 3, arbitrary: fc.constant({ kind: "fails" }) },
  { weight: 1, arbitrary: fc.constant({ kind: "refuses" }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("flaky" as const), failures: fc.integer({ min: 1, max: 2 }) }),
  },
  { weight: 0.5, arbitrary: fc.constant({ kind: "late" }) },
]);

export function items(): fc.Arbitrary<Items> {
  const is = <Of extends Items["of"]>(of: Of) => fc.constant(of);
  return oneOf<Items>([
    { weight: 6, arbitrary: fc.record({ of: is("list"), values: fc.array(fc.nat(3), { maxLength: 4 }) }) },
    {
      weight: features.freezesRounds && features.sandboxUnderLoad ? 1 : 0,
      arbitrary: fc.record({ of: is("shuffled"), count: fc.integer({ min: 2, max: 4 }) }),
    },
    {
      weight: features.takesSingleItems ? 0.5 : 0,
      arbitrary: fc.record({ of: is("single"), value: fc.nat(3) }),
    },
    { weight: features.takesSingleItems ? 0.5 : 0, arbitrary: fc.constant({ of: "nothing" }) },
  ]);
}
