import type { Evidence } from "./evidence.ts";
import { INVARIANTS } from "./invariants/all.ts";
import { isTerminal } from "../packages/server/src/domain/run-status.ts";

interface Judged {
  readonly number: number;
  readonly name: string;
  readonly checked: string;
  readonly violations: readonly string[];
}

export interface Report {
  readonly seed: number;
  readonly scenario: string;
  readonly verdicts: readonly Judged[];
  readonly totals: {
    readonly acknowledged: number;
    readonly lost: number;
    readonly unknown: number;
    readonly refused: number;
    readonly runs: number;
    readonly runsPerSecond: number;
    readonly faults: number;
    /** The worst delay of the harness itself; four times what was near widened each limit of seconds. */
    readonly worstStallMs: number;
  };
}

export function judge(
  evidence: Evidence,
  { seed, scenario, loadMs }: { seed: number; scenario: string; loadMs: number },
): Report {
  const { world, runs } = evidence;
  const verdicts = INVARIANTS.map(({ number, name, check }) => ({ number, name, ...check(evidence) }));
  const triggers = world.history.of("trigger", "webhook");
  const count = (outcome: string) => triggers.filter((operation) => operation.outcome === outcome).length;
  const ended = [...runs.values()].filter(({ status }) => isTerminal(status)).length;
  return {
    seed,
    scenario,
    verdicts,
    totals: {
      acknowledged: count("ok"),
      lost: verdicts[0]!.violations.length,
      unknown: count("unknown"),
      refused: count("fail"),
      runs: runs.size,
      runsPerSecond: ended / (loadMs / 1_000),
      faults: world.faults.count,
      worstStallMs: world.stalls.worstMs(),
    },
  };
}

const MAX_EXAMPLES = 5;

export function renderReport({ verdicts, totals, seed, scenario }: Report): string {
  const widest = Math.max(...verdicts.map(({ checked }) => checked.length));
  const rows = verdicts.map(({ number, name, checked, violations }) => {
    const verdict = violations.length === 0 ? "holds" : `BROKEN (${violations.length})`;
    return `${String(number).padStart(3)}  ${name.padEnd(22)} ${checked.padEnd(widest)}  ${verdict}`;
  });
  const examples = verdicts
    .filter(({ violations }) => violations.length > 0)
    .flatMap(({ number, name, violations }) => [
      `\n${number} ${name}:`,
      ...violations.slice(0, MAX_EXAMPLES).map((violation) => `  ${violation}`),
      ...(violations.length > MAX_EXAMPLES ? [`  … and ${violations.length - MAX_EXAMPLES} more`] : []),
    ]);
  const sums =
    `${totals.acknowledged} acknowledged, ${totals.lost} lost, ${totals.unknown} unknown, ${totals.refused} refused; ` +
    `${totals.runs} runs, ${totals.runsPerSecond.toFixed(1)} runs/s; ${totals.faults} faults`;
  const stalls =
    `The harness itself was late by at most ${totals.worstStallMs.toFixed(0)} ms; limits of seconds hold outside of faults, ` +
    `each wider by four times the delay seen around it.`;
  return ["", ...rows, ...examples, "", sums, stalls, `seed ${seed}, scenario ${scenario}`].join("\n");
}

export function isBroken({ verdicts }: Report): boolean {
  return verdicts.some(({ violations }) => violations.length > 0);
}
