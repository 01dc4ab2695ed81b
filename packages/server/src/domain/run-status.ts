import { type RunStatus, type TerminalStatus, terminalStatuses } from "@millrace/contract/run-status";

const noMoves = Object.fromEntries(terminalStatuses.map((status) => [status, []]));

/**
 * Every move a run can make between two statuses; what is not here cannot happen. The database enforces the same table
 * (`sql/run_can_become.sql`).
 */
export const runTransitions: Readonly<Record<RunStatus, readonly RunStatus[]>> = {
  WAITING: ["EXECUTING", "CANCELED"],
  EXECUTING: ["WAITING", "PAUSED", ...terminalStatuses],
  PAUSED: ["WAITING", "CANCELED"],
  ...(noMoves as Record<TerminalStatus, []>),
};

export function isTerminal(status: string): status is TerminalStatus {
  return terminalStatuses.some((terminal) => terminal === status);
}
