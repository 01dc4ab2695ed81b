import { isTerminal } from "../../packages/server/src/domain/run-status.ts";
import { faultOfMove } from "../transitions.ts";
import type { Invariant } from "./invariant.ts";

/** The recorded history of every run is a path of the graph; nothing leaves a terminal status, no epoch falls. */
export const legalPath: Invariant = {
  number: 2,
  name: "Legal path",
  check({ moves, samples, runs }) {
    const violations = [...samples.illegalMoves].map((move) => `seen meanwhile: ${move}`);
    let count = 0;
    for (const [runId, own] of moves) {
      let status: string | null = null;
      for (const move of own) {
        count += 1;
        const fault = faultOfMove(move);
        if (fault !== undefined) violations.push(`${runId}: ${fault}`);
        if (move.oldStatus !== status)
          violations.push(`${runId} was ${status ?? "none"} and moved from ${move.oldStatus ?? "none"}`);
        if (status !== null && isTerminal(status))
          violations.push(`${runId} was written again after ${status}`);
        status = move.newStatus;
      }
      if (runs.get(runId)?.status !== status)
        violations.push(`${runId} is ${runs.get(runId)?.status ?? "gone"}, its history ends with ${status}`);
    }
    return { checked: `${count} moves of ${moves.size} runs, and every 2 s meanwhile`, violations };
  },
};
