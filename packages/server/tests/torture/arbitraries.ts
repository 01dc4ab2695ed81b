import * as fc from "fast-check";
import { answer, chance, decisive, items, once, oneOf, rarely, source } from "./arbitrary-parts.ts";
import type { Block, Case, Failing, Program, Step } from "./case.ts";
import { features } from "./features.ts";

/** Where a block stands: how deep it may still go, in how many loops it is, and whether it may start other flows. */
interface Place {
  readonly depth: number;
  readonly loops: number;
  readonly children: number;
}

const MAX_DEPTH = 3;
const MAX_STEPS = 4;
/** From here on a wait makes the run PAUSED. */
const PAUSING_MS = 5_000;

/** A case that shrinks towards fewer steps, fewer ways and plainer values. */
export function anyCase(): fc.Arbitrary<Case> {
  const leaf: Place = { depth: 1, loops: 0, children: 0 };
  return fc
    .array(program(leaf), { maxLength: 2 })
    .chain((children) =>
      fc.record({
        root: program({ depth: MAX_DEPTH, loops: 0, children: children.length }),
        children: fc.constant(children),
        ending: oneOf<Case["ending"]>([
          { weight: 18, arbitrary: fc.constant(undefined) },
          { weight: 1, arbitrary: fc.constant("cancel") },
          { weight: 1, arbitrary: fc.constant("max-duration") },
        ]),
        maxAttempts: oneOf([
          { weight: 9, arbitrary: fc.constant(1) },
          { weight: 1, arbitrary: fc.constant(2) },
        ]),
      }),
    )
    .map(fitting);
}

/** Attempts of a whole run are foretold where one thing happens after the other. */
function fitting(torture: Case): Case {
  const { root, ending, maxAttempts } = torture;
  const isTriedAgain =
    features.failsForGood &&
    maxAttempts > 1 &&
    ending === undefined &&
    isSequential([root, ...torture.children]);
  const steps = ending === undefined ? root.steps : [...root.steps, { kind: "hold" } as const];
  return { ...torture, root: { ...root, steps }, maxAttempts: isTriedAgain ? maxAttempts : 1 };
}

const CONCURRENT: ReadonlySet<string> = new Set(["parallel", "race", "late-loop", "first"]);

function isSequential(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  const { kind, concurrency } = value as { kind?: string; concurrency?: number };
  if (CONCURRENT.has(kind ?? "") || (concurrency ?? 1) > 1) return false;
  return Object.values(value).every(isSequential);
}

function program(place: Place): fc.Arbitrary<Program> {
  return fc.record({ steps: block(place, 0), returns: fc.boolean() });
}

const blocks = new Map<string, fc.Arbitrary<Block>>();

function block(place: Place, minLength: number): fc.Arbitrary<Block> {
  if (place.depth < 0) return fc.constant([]);
  const name = `${JSON.stringify(place)} ${minLength}`;
  const known = blocks.get(name);
  if (known) return known;
  const steps = fc.array(step(place), {
    minLength,
    maxLength: place.depth === MAX_DEPTH ? MAX_STEPS + 2 : MAX_STEPS,
  });
  const made = fc
    .tuple(
      steps,
      oneOf<Step | undefined>([
        { weight: place.depth === MAX_DEPTH ? 4 : 12, arbitrary: fc.constant(undefined) },
        { weight: 1, arbitrary: tail(place) },
      ]),
    )
    .map(([all, last]) => (last === undefined ? all : [...all, last]));
  blocks.set(name, made);
  return made;
}

function tail({ loops }: Place): fc.Arbitrary<Step> {
  const mayFail = loops === 0 || features.failsForGood;
  return oneOf<Step>([
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("return" as const), value: source }) },
    { weight: mayFail ? 2 : 0, arbitrary: fc.constant({ kind: "fail" }) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant("race" as const),
        by: mayFail ? fc.constantFrom("return", "fail", "error") : fc.constantFrom("return", "error"),
        value: source,
      }),
    },
  ]);
}

function step(place: Place): fc.Arbitrary<Step> {
  const { depth, loops, children } = place;
  const nests = depth > 0 ? 1 : 0;
  const mayLoop = loops < 2 ? nests : 0;
  const mayCall = loops < 2 && children > 0 ? 1 : 0;
  const mayPause = loops < 2 ? 1 : 0;
  const inner: Place = { ...place, depth: depth - 1 };
  const inLoop: Place = { ...inner, loops: loops + 1 };
  const is = <Kind extends Step["kind"]>(kind: Kind) => fc.constant(kind);
  const failing = failingOf(inner);
  return oneOf<Step>([
    { weight: 4, arbitrary: fc.record({ kind: is("set"), value: source }) },
    { weight: 1, arbitrary: fc.record({ kind: is("template"), value: source }) },
    { weight: 1, arbitrary: fc.record({ kind: is("transform"), value: source }) },
    {
      weight: features.remembersChance && features.sandboxUnderLoad ? 0.4 : 0,
      arbitrary: fc.record({ kind: is("chance"), how: chance }),
    },
    {
      weight: features.sandboxUnderLoad ? 0.2 : 0,
      arbitrary: fc.record({ kind: is("code"), value: source, throws: rarely(fc.boolean(), false), failing }),
    },
    { weight: features.remembersWinners ? 0.5 : 0, arbitrary: fc.record({ kind: is("first") }) },
    { weight: 8, arbitrary: call(failing) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: is("store"),
        value: fc.nat(9),
        forgets: loops === 0 ? fc.boolean() : fc.constant(false),
      }),
    },
    { weight: mayPause, arbitrary: fc.record({ kind: is("wait"), ms: rarely(fc.constant(PAUSING_MS), 50) }) },
    { weight: loops === 0 || features.answersByKey ? mayPause : 0, arbitrary: approval(inner) },
    {
      weight: 3 * mayCall,
      arbitrary: fc.record({
        kind: is("child"),
        flow: fc.nat(Math.max(0, children - 1)),
        value: source,
        waits: rarely(fc.constant(false), true),
        failing: features.retriesChildren ? failing : failing.map((one) => ({ ...one, attempts: 1 })),
      }),
    },
    {
      weight: 2 * nests,
      arbitrary: fc.record({
        kind: is("if"),
        value: decisive,
        equals: fc.nat(2),
        yes: block(inner, 0),
        no: block(inner, 0),
      }),
    },
    {
      weight: nests,
      arbitrary: fc.record({
        kind: is("switch"),
        value: decisive,
        cases: fc.array(block(inner, 0), { minLength: 1, maxLength: 3 }),
        otherwise: block(inner, 0),
      }),
    },
    {
      weight: 2 * nests,
      arbitrary: fc.record({
        kind: is("parallel"),
        branches: fc.array(block(inner, 1), { minLength: 2, maxLength: 3 }),
        mode: fc.constantFrom("append", "combine", "zip"),
      }),
    },
    {
      weight: 3 * mayLoop,
      arbitrary: fc.record({
        kind: is("for-each"),
        items: items(),
        concurrency: fc.constantFrom(1, 2, 5),
        onItemError: fc.constantFrom("fail", "continue"),
        failing: failing.map(once),
        body: block(inLoop, 1),
      }),
    },
    {
      weight: mayLoop,
      arbitrary: fc.record({
        kind: is("while"),
        rounds: fc.nat(3),
        failing: failing.map(once),
        body: block(inLoop, 1),
      }),
    },
    {
      weight: features.timesOutContainers ? 0.3 * mayLoop : 0,
      arbitrary: fc
        .record({
          kind: is("late-loop"),
          items: fc.integer({ min: 4, max: 6 }),
          concurrency: fc.constantFrom(1, 3),
          slow: fc.boolean(),
          failing: failing.map(once),
        })
        .map((loop) => (loop.slow ? { ...loop, concurrency: 1 } : loop)),
    },
    {
      weight: features.timesOutPauses ? 0.5 * mayPause : 0,
      arbitrary: latePause(failing, loops < 2 && children > 0),
    },
  ]);
}

function failingOf(inner: Place): fc.Arbitrary<Failing> {
  const plain = fc.record({
    onError: fc.constantFrom("fail" as const, "continue" as const),
    attempts: fc.integer({ min: 1, max: 3 }),
    handler: fc.constant<Block>([]),
  });
  if (inner.depth < 0) return plain;
  const branches = fc.record({
    onError: fc.constant("branch" as const),
    attempts: fc.integer({ min: 1, max: 2 }),
    handler: block(inner, 0),
  });
  return fc.oneof({ weight: 3, arbitrary: plain }, { weight: 1, arbitrary: branches });
}

function call(failing: fc.Arbitrary<Failing>): fc.Arbitrary<Step> {
  return fc.record({ kind: fc.constant("call" as const), value: source, answer, failing }).map((one) => {
    const { kind } = one.answer;
    const attempts =
      kind === "late"
        ? 1
        : kind === "flaky"
          ? Math.max(one.failing.attempts, one.answer.failures + 1)
          : one.failing.attempts;
    return { ...one, failing: { ...one.failing, attempts } };
  });
}

function approval(inner: Place): fc.Arbitrary<Step> {
  return fc.record({
    kind: fc.constant("approval" as const),
    decision: rarely(fc.constantFrom("rejected" as const, "timeout" as const), "approved" as const),
    data: fc.nat(3),
    ways: fc.record({
      approved: block(inner, 0),
      rejected: block({ ...inner, depth: Math.min(0, inner.depth) }, 0),
      timeout: fc.constant<Block>([]),
    }),
  });
}

function latePause(failing: fc.Arbitrary<Failing>, mayCall: boolean): fc.Arbitrary<Step> {
  return fc
    .record({
      kind: fc.constant("late-pause" as const),
      of: mayCall
        ? fc.constantFrom("wait" as const, "approval" as const, "child" as const)
        : fc.constantFrom("wait" as const, "approval" as const),
      failing: failing.map(once),
    })
    .map((one) =>
      // An approval has no way out that a handled error could take.
      one.of === "approval" && one.failing.onError === "continue"
        ? { ...one, failing: { ...one.failing, onError: "fail" as const } }
        : one,
    );
}
