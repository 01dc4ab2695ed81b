import type { Duty } from "../../lifecycle/duty.ts";
import type { TurnRunner } from "../../operations/agent-chat/turn-runner.ts";
import { deleteOldDeltas } from "../../storage/agent-chat/keep-turns.ts";
import type { Db } from "../../storage/pool.ts";

const KEEP_DELTAS_HOURS = 24;

/** Keeps the replies of this process its own, and takes over what others have lost. */
export function agentTurns(runner: TurnRunner): Duty {
  return { name: "agent-turns", intervalMs: 1_000, runOnce: () => runner.sweep() };
}

/** Carries the replies that other processes write to the clients of this one. */
export function agentStreams(runner: TurnRunner): Duty {
  return { name: "agent-streams", intervalMs: 100, runOnce: () => runner.feeds.poll() };
}

export function agentLogs(db: Db): Duty {
  return {
    name: "agent-logs",
    intervalMs: 60_000,
    async runOnce(signal) {
      while (!signal.aborted && (await deleteOldDeltas(db, KEEP_DELTAS_HOURS)));
    },
  };
}
