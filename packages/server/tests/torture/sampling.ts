import * as fc from "fast-check";
import { anyCase } from "./arbitraries.ts";
import type { Case } from "./case.ts";
import { isForetold } from "./prepare.ts";

const cases = anyCase().filter(isForetold);

/** A generated case with what is needed to make it smaller. */
export type Sample = fc.Value<Case>;

/** The n-th case of a seed. */
export function sampleOf(seed: number, number: number): Sample {
  const kept = new Kept(cases);
  fc.sample(kept, { seed: (seed * 1_000_003 + number) | 0, numRuns: 1 });
  return kept.last!;
}

/** Keeps what it generates together with its context, which `fc.sample` throws away. */
class Kept extends fc.Arbitrary<Case> {
  last: Sample | undefined;
  readonly #inner: fc.Arbitrary<Case>;
  constructor(inner: fc.Arbitrary<Case>) {
    super();
    this.#inner = inner;
  }
  override generate(random: fc.Random, biasFactor: number | undefined): Sample {
    this.last = this.#inner.generate(random, biasFactor);
    return this.last;
  }
  override canShrinkWithoutContext(_value: unknown): _value is Case {
    return false;
  }
  override shrink(): fc.Stream<Sample> {
    return fc.Stream.nil();
  }
}

const AT_ONCE = 8;

export interface Smallest {
  readonly torture: Case;
  readonly faults: readonly string[];
  readonly tries: number;
}

/** The smallest case that fails too, several tried at once, for as long as there is time. */
export async function shrink(
  sample: Sample,
  faults: readonly string[],
  { check, untilMs }: { check: (torture: Case) => Promise<readonly string[]>; untilMs: number },
): Promise<Smallest> {
  let best = { sample, faults };
  let tries = 0;
  search: for (;;) {
    const candidates = cases.shrink(best.sample.value, best.sample.context);
    for (;;) {
      const some = [...candidates.take(AT_ONCE)];
      if (some.length === 0 || performance.now() > untilMs) break search;
      tries += some.length;
      const verdicts = await Promise.all(
        some.map(async (candidate) => ({ sample: candidate, faults: await check(candidate.value) })),
      );
      const failing = verdicts.find((verdict) => verdict.faults.length > 0);
      if (!failing) continue;
      best = failing;
      continue search;
    }
  }
  return { torture: best.sample.value, faults: best.faults, tries };
}
