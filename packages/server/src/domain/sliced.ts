/**
 * Work on data in a loop that may be long, as a generator: it yields where others may have their turn, and yields a
 * Promise where it needs its value.
 */
export type Sliced<Result> = Generator<unknown, Result, unknown>;

/**
 * Does the work, in one go where it fits into the slice under way. `giveWay` rejects where the work has become pointless.
 * After a wait it goes on through `later`.
 */
export function driveSliced<Result>(
  work: Pick<Sliced<Result>, "next">,
  giveWay: () => Promise<unknown> | undefined,
  later: () => Pick<Sliced<Result>, "next"> = () => work,
): Result | Promise<Result> {
  for (let value: unknown; ;) {
    const step = work.next(value);
    if (step.done) return step.value;
    value = undefined;
    const wait = step.value instanceof Promise ? step.value : giveWay();
    if (wait) return driveOn(later(), giveWay, wait);
  }
}

async function driveOn<Result>(
  work: Pick<Sliced<Result>, "next">,
  giveWay: () => Promise<unknown> | undefined,
  firstWait: Promise<unknown>,
): Promise<Result> {
  for (let wait: Promise<unknown> | undefined = firstWait; ;) {
    const step = work.next(await wait);
    if (step.done) return step.value;
    wait = step.value instanceof Promise ? step.value : giveWay();
  }
}

/** In one go, for those who share the event loop with nobody. */
export function finishSliced<Result>(work: Sliced<Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
