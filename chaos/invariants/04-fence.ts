import type { Owner } from "../evidence.ts";
import type { NodeWrite, RunMove } from "../recorder.ts";
import { isTerminal } from "../../packages/server/src/domain/run-status.ts";
import { nodeTypes } from "../../packages/server/src/engine/nodes/registry.ts";
import type { Invariant } from "./invariant.ts";

/**
 * Whoever writes a checkpoint or an end of epoch e is the process that claimed e, after the claim and before the epoch
 * rose; every change of hands raises the epoch. A pause and a retry store their records in the very statement that
 * raises the epoch, so "before" there means "in the same transaction". Where a run was ended from outside, its last owner
 * still tells, once, what became of the nodes it had under way: that they ended with the run, and what was computed
 * meanwhile. No effect and no wait has an end of its own after that of its run.
 */
export const fence: Invariant = {
  number: 4,
  name: "Fence",
  check({ runs, moves, owners, nodeWrites }) {
    const violations: string[] = [];
    let checkpoints = 0;
    let ends = 0;
    for (const [runId, writes] of nodeWrites) {
      const late = new Set<string>();
      for (const write of writes) {
        // Copied into a fork, before anybody could claim it.
        if (write.epoch === 0 && runs.get(runId)?.forkedFrom) continue;
        checkpoints += 1;
        if (isLate(write, moves.get(runId) ?? [])) late.add(write.transaction);
        const fault = faultOfCheckpoint(write, owners.get(runId) ?? [], moves.get(runId) ?? []);
        if (fault !== undefined) violations.push(`${runId} ${write.nodeKey}: ${fault}`);
      }
      if (late.size > 1) violations.push(`${runId}: its nodes were told of ${late.size} times after its end`);
    }
    for (const [runId, own] of moves) {
      for (const move of own) {
        if (move.oldStatus !== "EXECUTING" || move.newStatus === "EXECUTING") continue;
        ends += 1;
        const fault = faultOfLeaving(move, owners.get(runId) ?? []);
        if (fault !== undefined) violations.push(`${runId}: ${fault}`);
      }
    }
    for (const { id, status, epoch, finishedEpoch } of runs.values()) {
      if (isTerminal(status) && finishedEpoch !== epoch)
        violations.push(`${id} ended at epoch ${finishedEpoch} and is at ${epoch}`);
    }
    return { checked: `${checkpoints} checkpoints, ${ends} moves out of EXECUTING`, violations };
  },
};

function faultOfCheckpoint(
  write: NodeWrite,
  owners: readonly Owner[],
  moves: readonly RunMove[],
): string | undefined {
  const owner = owners.find(({ epoch }) => epoch === write.epoch);
  if (!owner) return `a checkpoint of epoch ${write.epoch}, which nobody claimed`;
  if (owner.writer !== write.writer)
    return `a checkpoint of epoch ${write.epoch} by ${write.writer}; ${owner.writer} owned it`;
  if (write.atMs < owner.claimedMs) return `a checkpoint of epoch ${write.epoch} before its claim`;
  if (!isLate(write, moves)) return undefined;
  const raised = riseAfter(write, moves)!;
  if (mayFollow(write, raised)) return undefined;
  return `a checkpoint of epoch ${write.epoch} (${write.type} ${write.status}) ${(write.atMs - raised.atMs).toFixed(1)} ms after the epoch rose to ${raised.newEpoch} (${raised.newStatus})`;
}

function riseAfter({ epoch }: NodeWrite, moves: readonly RunMove[]): RunMove | undefined {
  return moves.find(({ newEpoch }) => newEpoch > epoch);
}

function isLate(write: NodeWrite, moves: readonly RunMove[]): boolean {
  const raised = riseAfter(write, moves);
  return raised !== undefined && raised.atMs <= write.atMs && raised.transaction !== write.transaction;
}

/** What the process that was executing a run may still say of it after somebody else has ended it. */
function mayFollow(write: NodeWrite, { newStatus, oldEpoch }: RunMove): boolean {
  if ((newStatus !== "CANCELED" && newStatus !== "TIMED_OUT") || oldEpoch !== write.epoch) return false;
  const kind = nodeTypes.get(write.type ?? "");
  const isFact = kind === undefined || kind.effect || kind.pauses === true;
  return write.status === newStatus || !isFact;
}

function faultOfLeaving(move: RunMove, owners: readonly Owner[]): string | undefined {
  const { newStatus, newStage, oldEpoch, newEpoch, writer } = move;
  const raised = newEpoch > (oldEpoch ?? 0);
  const byOwnerOnly =
    !raised || newStatus === "PAUSED" || (newStatus === "WAITING" && newStage === "delayed");
  const owner = owners.find(({ epoch }) => epoch === oldEpoch);
  if (byOwnerOnly && owner?.writer !== writer)
    return `${newStatus} at epoch ${oldEpoch} by ${writer}; ${owner?.writer ?? "nobody"} owned it`;
  if (!raised && (newStatus === "WAITING" || newStatus === "PAUSED" || newStatus === "CANCELED"))
    return `went from EXECUTING to ${newStatus} and kept epoch ${oldEpoch}`;
  return undefined;
}
