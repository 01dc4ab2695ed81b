import * as fc from "fast-check";
import type { Arena } from "./arena/arena.ts";
import type { Case, Kind } from "./case.ts";
import { generators } from "./generate/generators.ts";
import { ENDED, limits, measure, type Measured, STOOD } from "./measure.ts";
import { seeds } from "./seeds/seeds.ts";

export interface Result {
  readonly case: Case;
  readonly measured: Measured;
}

/** What was found: the smallest case that still shows it, and where the time went. */
export interface Finding extends Result {
  /** The seed of the round that found it; none for a named case. */
  readonly seed?: number;
}

export interface SearchOptions {
  readonly kinds: readonly Kind[];
  readonly seed: number;
  readonly endAtMs: number;
  /** Cases that are tried to make one finding smaller. */
  readonly maxShrinks: number;
  /** Leaves out the named cases that take long. */
  readonly skipSlow?: boolean;
  readonly onResult: (result: Result) => void;
  readonly onFinding: (finding: Finding) => void;
}

const CASES_A_ROUND = 10;
/** What is promised is promised on an idle machine, where an empty loop never stands for this long. */
const IDLE_MS = 50;
const MAX_TRIES = 3;

/** The named cases first, then generated ones of every kind in turn until the time is over. */
export async function search(arena: Arena, options: SearchOptions): Promise<void> {
  const chosen = seeds.filter(
    ({ kind, slow }) => options.kinds.includes(kind) && !(slow && options.skipSlow),
  );
  for (const named of chosen) {
    const measured = await tried(arena, named, options);
    if (measured.faults.length > 0) await found(arena, { case: named, measured }, options);
  }
  for (let seed = options.seed; performance.now() < options.endAtMs; seed++) {
    for (const kind of options.kinds.filter((each) => each in generators)) {
      if (performance.now() > options.endAtMs) return;
      await searchKind(arena, kind, seed, options);
    }
  }
}

async function tried(arena: Arena, deed: Case, { onResult }: SearchOptions): Promise<Measured> {
  let measured = await measure(arena, deed);
  for (let again = 1; again < MAX_TRIES && mayBeTheMachine(measured); again += 1) {
    const note = `measured again: it stood for ${Math.round(measured.cpuMs)} ms, an empty loop for ${Math.round(measured.controlMs)}`;
    const next = await measure(arena, deed);
    measured = { ...next, notes: [...next.notes, note] };
  }
  onResult({ case: deed, measured });
  return measured;
}

function mayBeTheMachine(measured: Measured): boolean {
  return measured.cpuMs > limits.stallCpuMs && measured.controlMs > IDLE_MS && !isGone(measured);
}

function isGone({ faults }: Measured): boolean {
  return faults.some((fault) => fault.startsWith(STOOD) || fault.startsWith(ENDED));
}

async function searchKind(arena: Arena, kind: Kind, seed: number, options: SearchOptions): Promise<void> {
  let smallest: Result | undefined;
  let shrinks = 0;
  const property = fc.asyncProperty(generators[kind]!, async (generated) => {
    if (smallest ? ++shrinks > options.maxShrinks : performance.now() > options.endAtMs) return;
    const deed: Case = { kind, ...generated };
    const measured = await tried(arena, deed, options);
    if (measured.faults.length === 0) return;
    smallest = { case: deed, measured };
    // Memory that one case took is not given back: the next one would look just as large.
    await arena.endRound();
    throw new Error(measured.faults.join("; "));
  });
  await fc.check(property, { seed, numRuns: CASES_A_ROUND });
  if (smallest) await found(arena, { ...smallest, seed }, options);
}

/** Once more, with a profile, unless the service would take it with it again. */
async function found(arena: Arena, finding: Finding, { onFinding }: SearchOptions): Promise<void> {
  await arena.endRound();
  const { hottest } = isGone(finding.measured)
    ? finding.measured
    : await measure(arena, finding.case, { profile: true });
  // What a finding leaves behind is not the fault of the next case.
  await arena.endRound();
  onFinding({ ...finding, measured: { ...finding.measured, hottest } });
}
