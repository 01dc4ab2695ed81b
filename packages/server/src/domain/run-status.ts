import { type RunStatus, type TerminalStatus, terminalStatuses } from "@millrace/contract/run-status";

/** Every move a run can make; what is not here cannot happen. */
export const runTransitions: Readonly<Record<RunStatus, readonly RunStatus[]>> = {
  WAITING: ["EXECUTING", "CANCELED"],
  EXECUTING: ["WAITING", "PAUSED", "COMPLETED", "FAILED", "CANCELED", "CRASHED", "TIMED_OUT"],
  PAUSED: ["WAITING"],
  COMPLETED: [],
  FAILED: [],
  CANCELED: [],
  CRASHED: [],
  TIMED_OUT: [],
};

export function isTerminal(status: RunStatus): status is TerminalStatus {
  return terminalStatuses.some((terminal) => terminal === status);
}
