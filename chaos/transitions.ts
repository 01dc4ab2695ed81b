import { runTransitions } from "../packages/server/src/domain/run-status.ts";
import type { RunMove } from "./recorder.ts";

const moves: Readonly<Record<string, readonly string[]>> = {
  none: ["WAITING", "EXECUTING"],
  ...runTransitions,
};

/** What is wrong with one move of a run's row, or undefined. Writing a row anew is no move. */
export function faultOfMove({
  oldStatus,
  newStatus,
  oldEpoch,
  newEpoch,
  writer,
}: RunMove): string | undefined {
  if (newStatus !== oldStatus && !moves[oldStatus ?? "none"]?.includes(newStatus))
    return `${oldStatus ?? "none"} became ${newStatus} (written by ${writer})`;
  if (oldEpoch !== null && newEpoch < oldEpoch)
    return `epoch ${oldEpoch} became ${newEpoch} (written by ${writer})`;
  return undefined;
}
