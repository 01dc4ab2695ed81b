import { isTerminal } from "../packages/server/src/domain/run-status.ts";
import type { RunMove } from "./recorder.ts";

/**
 * The events that a run's moves must have told, in their order. Left out is `queue.item_canceled`: a queued run can be
 * canceled as a run or as a queue item, and its moves do not say which.
 */
export function pathToTell(moves: readonly RunMove[], answeredQueued: boolean): string[] {
  let started = false;
  return moves.flatMap((move) => {
    const told = [...toldBeforeStart(move, answeredQueued && !started), ...toldByStatus(move, started)];
    started ||= move.newStatus === "EXECUTING";
    return told;
  });
}

/** Until it starts, a run that was answered "queued" is a queue item too. */
function toldBeforeStart({ oldStatus, oldStage, newStage }: RunMove, isItem: boolean): string[] {
  if (oldStatus === null) return isItem ? ["run.created", "queue.item_created"] : ["run.created"];
  return isItem && oldStage === "queued" && newStage === "admitted" ? ["queue.item_dispatched"] : [];
}

function toldByStatus({ oldStatus, newStatus, newStage }: RunMove, started: boolean): string[] {
  if (newStatus === oldStatus) return [];
  if (isTerminal(newStatus)) return [`run.${newStatus.toLowerCase()}`];
  if (newStatus === "EXECUTING") return started ? [] : ["run.started"];
  if (newStatus === "PAUSED") return ["run.paused"];
  if (oldStatus === "PAUSED") return ["run.resumed"];
  // A run that is given back, or taken from a lost worker, keeps its slot, and nothing is told.
  return oldStatus === "EXECUTING" && newStage === "delayed" ? ["run.retrying"] : [];
}
