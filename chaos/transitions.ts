import type { RunMove } from "./recorder.ts";

/** The transition graph of a run, as decisions and documentation state it. */
const NEXT: Record<string, readonly string[]> = {
  none: ["WAITING", "EXECUTING"],
  WAITING: ["WAITING", "EXECUTING", "CANCELED"],
  EXECUTING: ["EXECUTING", "WAITING", "PAUSED", "COMPLETED", "FAILED", "CANCELED", "CRASHED", "TIMED_OUT"],
  PAUSED: ["WAITING"],
};

const TERMINAL: ReadonlySet<string> = new Set(["COMPLETED", "FAILED", "CANCELED", "CRASHED", "TIMED_OUT"]);

export function isTerminal(status: string): boolean {
  return TERMINAL.has(status);
}

/** What is wrong with one move of a run's row, or undefined. */
export function faultOfMove({
  oldStatus,
  newStatus,
  oldEpoch,
  newEpoch,
  writer,
}: RunMove): string | undefined {
  if (!(NEXT[oldStatus ?? "none"] ?? []).includes(newStatus))
    return `${oldStatus ?? "none"} became ${newStatus} (written by ${writer})`;
  if (oldEpoch !== null && newEpoch < oldEpoch)
    return `epoch ${oldEpoch} became ${newEpoch} (written by ${writer})`;
  return undefined;
}
