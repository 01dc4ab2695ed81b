import type { Case } from "./case.ts";
import type { CallPart, ChildPart, Ending, RecordPart, RunExpectation } from "./interpreter/expectation.ts";
import { matches } from "./interpreter/values.ts";
import type { Observed, ObservedRun } from "./observed.ts";
import type { Call } from "./receiver.ts";

/** Calls that were broken off may arrive a little after what came next. */
const ON_ITS_WAY_MS = 400;
/** Until the worker of a run that was cancelled has heard of it. */
const HEARS_WITHIN_MS = 3_000;

interface ExpectedCall {
  readonly call: CallPart;
  readonly at: string;
  /** It is sent by a child that may be cancelled meanwhile. */
  readonly isOfMaybeChild: boolean;
}

/** Where what was seen is not what was foretold; nothing where they agree. */
export function compare(torture: Case, expected: RunExpectation, observed: Observed): string[] {
  return [...observed.faults, ...new Comparison(torture, observed).family(expected)];
}

class Comparison {
  readonly #torture: Case;
  readonly #observed: Observed;
  readonly #isCrashed: boolean;
  readonly #bound = new Map<string, string>();
  readonly #faults: string[] = [];

  constructor(torture: Case, observed: Observed) {
    this.#torture = torture;
    this.#observed = observed;
    // Whoever loses three workers has crashed; what its family could do without it is not foretold.
    this.#isCrashed = observed.runs.some(({ status, losses }) => status === "CRASHED" && losses >= 3);
  }

  family(root: RunExpectation): string[] {
    const runs = new Map<string, ChildPart | undefined>([["root", undefined]]);
    const tree = [
      {
        run: root,
        part: undefined as ChildPart | undefined,
        isMaybe: this.#torture.ending === "max-duration",
      },
    ];
    const calls: ExpectedCall[] = [];
    for (let next = tree.shift(); next !== undefined; next = tree.shift()) {
      const { run, part, isMaybe } = next;
      this.#checkRuns(run, part, isMaybe);
      for (const inside of run.parts) {
        if (inside.kind === "call")
          calls.push({ call: inside, at: run.at, isOfMaybeChild: isMaybe && part !== undefined });
        if (inside.kind !== "child") continue;
        runs.set(inside.run.at, inside);
        tree.push({ run: inside.run, part: inside, isMaybe: isMaybe || inside.certainty === "maybe" });
      }
    }
    this.#checkStrangers(new Set(runs.keys()), calls);
    this.#checkRepeats();
    this.#checkOrder(calls);
    return this.#faults;
  }

  #checkRuns(run: RunExpectation, part: ChildPart | undefined, isMaybe: boolean): void {
    const { runs, knowsChildren, calls } = this.#observed;
    const known = runs.filter(({ at }) => at === run.at);
    const called = new Set(calls.filter(({ at }) => at === run.at).map(({ runId }) => runId));
    const count = knowsChildren || !part ? known.length : called.size;
    const max = part?.count ?? 1;
    const min = isMaybe || this.#isCrashed || (!knowsChildren && part) ? 0 : max;
    if (count < min || count > max)
      this.#faults.push(`${run.at}: ${count} runs instead of ${range(min, max)}`);
    for (const one of known) this.#checkRun(run, part, one, isMaybe);
    // What a child of a dry run did is seen from outside alone.
    if (knowsChildren || !part) return;
    for (const runId of called)
      this.#checkCalls(run, { runId, losses: 0, isMaybe: true, bound: this.#boundFor(part) });
  }

  #checkRun(run: RunExpectation, part: ChildPart | undefined, seen: ObservedRun, isMaybe: boolean): void {
    const bound = this.#boundFor(part);
    const mayBeCancelled = part?.waits === true && isMaybe;
    const mayTimeOut = !part && this.#torture.ending === "max-duration";
    const isAnyEnd =
      this.#isCrashed ||
      (mayBeCancelled && seen.status === "CANCELED") ||
      (mayTimeOut && seen.status === "TIMED_OUT");
    const isLoose = isAnyEnd || (isMaybe && !part);
    this.#checkRecords(run, seen, isLoose);
    // First, so that what was sent is known: of several ways to end the one that happened returns what it sent.
    this.#checkCalls(run, { runId: seen.runId, losses: seen.losses, isMaybe: isLoose, bound });
    const boundIn = () => (run.endings.length > 1 ? new Map(bound) : bound);
    const isExpected = run.endings.some((ending) => this.#isEnding(ending, seen, run.at, boundIn()));
    if (isAnyEnd || isExpected) return;
    const how = run.endings.map((ending) => JSON.stringify(ending)).join(" or ");
    this.#faults.push(`${run.at}: ended ${describe(seen)} instead of ${how}`);
  }

  /** Chance is another one in each attempt of a child. */
  #boundFor(part: ChildPart | undefined): Map<string, string> {
    return part && part.count > 1 ? new Map(this.#bound) : this.#bound;
  }

  #isEnding(ending: Ending, seen: ObservedRun, at: string, bound: Map<string, string>): boolean {
    switch (ending.kind) {
      case "return":
        return seen.status === "COMPLETED" && matches(ending.value, seen.output, bound);
      case "error":
        return seen.status === "FAILED" && seen.error?.nodeId === ending.nodeId;
      case "fail":
        return (
          seen.status === "FAILED" &&
          seen.error?.nodeId === ending.nodeId &&
          seen.error.message === ending.message
        );
      case "stopped":
        return (
          seen.status ===
          (at === "root" && this.#torture.ending === "max-duration" ? "TIMED_OUT" : "CANCELED")
        );
    }
  }

  #checkRecords(run: RunExpectation, { records, losses, status }: ObservedRun, isLoose: boolean): void {
    const expected = new Map(
      run.parts.filter((part): part is RecordPart => part.kind === "record").map((part) => [part.key, part]),
    );
    // What a cancelled run had not saved yet is lost with it.
    const isComplete = !isLoose && status !== "CANCELED" && status !== "TIMED_OUT";
    for (const { key, certainty, statuses, attempts } of expected.values()) {
      const [record, another] = records.get(key) ?? [];
      const must = certainty === "always" || (certainty === "calm" && losses === 0);
      const name = `${run.at}:${key}`;
      if (!record) {
        if (must && isComplete) this.#faults.push(`${name}: no record`);
        continue;
      }
      if (another) this.#faults.push(`${name}: ended ${records.get(key)!.length} times`);
      if (isLoose) continue;
      if (statuses && !statuses.includes(record.status))
        this.#faults.push(`${name}: recorded ${record.status} instead of ${statuses.join(" or ")}`);
      if (attempts !== undefined && losses === 0 && record.attempts !== attempts)
        this.#faults.push(`${name}: ${record.attempts} attempts instead of ${attempts}`);
    }
    for (const key of records.keys())
      if (!expected.has(key)) this.#faults.push(`${run.at}:${key}: a record that was not foretold`);
  }

  #checkCalls(
    run: RunExpectation,
    {
      runId,
      losses,
      isMaybe,
      bound,
    }: { runId: string; losses: number; isMaybe: boolean; bound: Map<string, string> },
  ): void {
    for (const part of run.parts) {
      if (part.kind !== "call") continue;
      const calls = this.#callsOf(part, runId);
      const must = !isMaybe && (part.certainty === "always" || (part.certainty === "calm" && losses === 0));
      const min = must ? part.count : 0;
      const max = part.count + losses;
      if (calls.length < min || calls.length > max)
        this.#faults.push(`${part.id}: called ${calls.length} times instead of ${range(min, max)}`);
      for (const { body } of calls.slice(0, 1))
        if (!matches(part.body, JSON.parse(body), bound))
          this.#faults.push(`${part.id}: sent ${body} instead of ${JSON.stringify(part.body)}`);
    }
  }

  #callsOf({ id }: CallPart, runId?: string): Call[] {
    return this.#observed.calls.filter(
      (call) => `${call.at}:${call.key}` === id && (runId === undefined || call.runId === runId),
    );
  }

  #checkStrangers(ats: ReadonlySet<string>, expected: readonly { readonly call: CallPart }[]): void {
    const ids = new Set(expected.map(({ call }) => call.id));
    const { calls, runs } = this.#observed;
    const strange = new Set(calls.map(({ at, key }) => `${at}:${key}`).filter((id) => !ids.has(id)));
    for (const id of strange) this.#faults.push(`${id}: called although nothing leads there`);
    for (const { at, status } of runs)
      if (!ats.has(at)) this.#faults.push(`${at}: a run that was not foretold, ${status}`);
  }

  /** A repeated effect sends the same, byte by byte. */
  #checkRepeats(): void {
    const byKey = Map.groupBy(this.#observed.calls, ({ runId, key }) => `${runId}:${key}`);
    for (const [key, [first, ...others]] of byKey) {
      const other = others.find(({ body }) => body !== first?.body);
      if (other) this.#faults.push(`${key}: sent ${first?.body}, and then ${other.body}`);
    }
  }

  #checkOrder(expected: readonly ExpectedCall[]): void {
    const parts = new Map(expected.map((one) => [one.call.id, one]));
    for (const { call, at } of expected) {
      for (const later of this.#firstCalls(call)) {
        for (const id of call.after) {
          const before = parts.get(id);
          if (!before) continue;
          const brokenOffMs = before.at === at ? ON_ITS_WAY_MS : HEARS_WITHIN_MS;
          const isSure = before.call.certainty === "always" && !before.isOfMaybeChild;
          const slackMs = isSure ? 0 : brokenOffMs;
          const late = this.#callsOf(before.call, before.at === at ? later.runId : undefined).find(
            (earlier) =>
              earlier.number > later.number &&
              earlier.atMs > later.atMs + slackMs + (slackMs > 0 ? earlier.lateMs : 0),
          );
          if (late) {
            const afterMs = Math.round(late.atMs - later.atMs);
            const times = this.#callsOf(before.call).map((one) => Math.round(one.atMs - later.atMs));
            this.#faults.push(
              `${id}: called ${afterMs} ms after ${call.id}, which follows it (its calls at ${times.join(", ")} ms, noticed up to ${Math.round(late.lateMs)} ms late)`,
            );
          }
        }
      }
    }
  }

  /** The first one of each run. */
  #firstCalls(part: CallPart): Call[] {
    return [...Map.groupBy(this.#callsOf(part), ({ runId }) => runId).values()].flatMap(
      ([first]) => first ?? [],
    );
  }
}

const range = (min: number, max: number): string => (min === max ? String(min) : `${min} to ${max}`);

function describe({ status, output, error }: ObservedRun): string {
  return `${status} ${JSON.stringify(error ?? output ?? null)}`;
}
