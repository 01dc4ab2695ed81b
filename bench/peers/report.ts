import { median } from "../support/statistics.ts";
import type { Measured } from "./measure.ts";
import type { Peer } from "./peer.ts";

/** What became of one peer: its rounds, or why there are none. */
export interface Outcome {
  readonly peer: Peer;
  readonly rounds: Measured[];
  failure: string | undefined;
}

export interface Line {
  readonly name: string;
  readonly summary: string;
  readonly completedPerSecond?: number;
  readonly connections?: number;
  readonly p50Ms?: number;
  readonly p99Ms?: number;
  /** Millrace's rate by this one's, of the middle round: with one commit a run, and with every step stored. */
  readonly ratio?: number;
  readonly ratioSteps?: number;
  readonly bar?: number;
  readonly met?: boolean;
  readonly note?: string;
  readonly failure?: string;
}

export function linesOf(outcomes: readonly Outcome[]): Line[] {
  const ratesOf = (name: string): number[] =>
    outcomes.find(({ peer }) => peer.name === name)?.rounds.map((round) => round.completedPerSecond) ?? [];
  const [nodes, steps] = [ratesOf("millrace"), ratesOf("millrace-steps")];
  return outcomes.map(({ peer, rounds, failure }) => {
    const { name, summary, bar } = peer;
    if (failure !== undefined || rounds.length === 0)
      return { name, summary, failure: failure ?? "not measured" };
    const rates = rounds.map((round) => round.completedPerSecond);
    const last = rounds.at(-1)!;
    const ratio = ratioOf(nodes, rates);
    return {
      name,
      summary,
      completedPerSecond: median(rates),
      connections: last.connections,
      p50Ms: median(rounds.map(({ load }) => load.p50Ms)),
      p99Ms: median(rounds.map(({ load }) => load.p99Ms)),
      ...(!name.startsWith("millrace") && { ratio, ratioSteps: ratioOf(steps, rates) }),
      ...(bar !== undefined && ratio !== undefined && { bar, met: ratio >= bar }),
      ...(last.note !== undefined && { note: last.note }),
    };
  });
}

/** Neighbours in time saw the same machine, so ratios are taken within a round. */
function ratioOf(ours: readonly number[], theirs: readonly number[]): number | undefined {
  if (ours.length !== theirs.length) return undefined;
  return median(ours.map((rate, at) => rate / theirs[at]!));
}

const HEADINGS = ["", "completed", "connections", "answer p50", "p99", "Millrace ×", "with steps ×", "bar"];

export function renderLines(lines: readonly Line[]): string {
  const rows = lines.map((line) => [
    line.summary,
    line.failure === undefined ? `${figure(line.completedPerSecond)} /s` : `not measured: ${line.failure}`,
    figure(line.connections),
    line.p50Ms === undefined ? "" : `${figure(line.p50Ms)} ms`,
    line.p99Ms === undefined ? "" : `${figure(line.p99Ms)} ms`,
    figure(line.ratio),
    figure(line.ratioSteps),
    line.bar === undefined ? "" : `≥ ${line.bar} ${line.met ? "met" : "MISSED"}`,
    line.note ?? "",
  ]);
  const widths = HEADINGS.map((heading, at) =>
    Math.max(
      heading.length,
      ...rows.map((row) => (row[1]!.startsWith("not") && at > 0 ? 0 : row[at]!.length)),
    ),
  );
  return [[...HEADINGS, ""], ...rows]
    .map((row) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  "))
    .map((row) => row.trimEnd())
    .join("\n");
}

function figure(value: number | undefined): string {
  if (value === undefined) return "";
  return value >= 100 || Number.isInteger(value)
    ? Math.round(value).toLocaleString("en")
    : value.toPrecision(3);
}
