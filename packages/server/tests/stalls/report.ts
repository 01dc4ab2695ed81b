import type { Case, Kind } from "./case.ts";
import type { Finding, Result } from "./search.ts";

const MAX_WORST = 5;
const MAX_NOTE = 150;
const MAX_CASE = 1_500;

/** Counts what a search measured, and says it in lines. */
export class Report {
  readonly #results: Result[] = [];
  readonly findings: Finding[] = [];

  readonly listeners = {
    onResult: (result: Result): void => void this.#results.push(result),
    onFinding: (finding: Finding): void => void this.findings.push(finding),
  };

  kinds(): Kind[] {
    return [...new Set(this.#results.map((result) => result.case.kind))];
  }

  /** One line for each kind that was tried. */
  kindLines(): string[] {
    const byKind = Map.groupBy(this.#results, (result) => result.case.kind);
    return [...byKind].map(([kind, results]) => this.#lineOf(kind, results));
  }

  #lineOf(kind: Kind, results: readonly Result[]): string {
    const worst = results.reduce((one, other) => (other.measured.cpuMs > one.measured.cpuMs ? other : one));
    const megabytes = Math.max(...results.map(({ measured }) => measured.megabytes));
    const count = this.findings.filter((finding) => finding.case.kind === kind).length;
    return [
      kind.padEnd(12),
      `${String(results.length).padStart(6)} cases`,
      `longest stall ${describeStall(worst)}`,
      `peak ${Math.round(megabytes)} MB`,
      count === 0 ? "" : `${count} findings`,
    ]
      .filter((part) => part !== "")
      .join("  ");
  }

  worst(): readonly Result[] {
    return this.#results
      .toSorted((one, other) => other.measured.cpuMs - one.measured.cpuMs)
      .slice(0, MAX_WORST);
  }
}

const SLOW = 1.3;

function describeStall({ measured: { cpuMs, wallMs, controlMs, slowness } }: Result): string {
  const multiple =
    controlMs > 0 ? ` (${(wallMs / controlMs).toFixed(1)} × an empty loop's ${controlMs.toFixed(1)} ms)` : "";
  const speed = slowness >= SLOW ? `, the machine ${slowness.toFixed(1)} × slower than at its best` : "";
  return `${cpuMs.toFixed(1)} ms of CPU, ${wallMs.toFixed(1)} ms${multiple}${speed}`;
}

export function describeResult(result: Result): string {
  const { megabytes, totalCpuMs, notes } = result.measured;
  const figures = `${describeStall(result)}, ${Math.round(totalCpuMs)} ms of CPU in all, ${Math.round(megabytes)} MB`;
  return [`${nameOf(result.case)}: ${figures}`, ...notes.map((note) => note.slice(0, MAX_NOTE))].join("; ");
}

/** All that is needed to look into it; the case itself can be repeated from a file. */
export function describeFinding(finding: Finding): string {
  const { measured, seed } = finding;
  const lines = [
    `${nameOf(finding.case)}${seed === undefined ? "" : `, seed ${seed}`}: ${measured.faults.join("; ")}`,
    describeResult(finding),
    ...measured.hottest,
    JSON.stringify(finding.case).slice(0, MAX_CASE),
  ];
  return lines.join("\n  ");
}

function nameOf({ kind, name }: Case): string {
  return name === undefined ? kind : `${kind}: ${name}`;
}
