/** Nothing leaves these; they end a run stream. */
export const terminalStatuses = ["COMPLETED", "FAILED", "CANCELED", "CRASHED", "TIMED_OUT"] as const;
export type TerminalStatus = (typeof terminalStatuses)[number];

/** Of a node of a run: all but the first two end it. */
export const nodeStatuses = [
  "EXECUTING",
  "PAUSED",
  "COMPLETED",
  "FAILED",
  "CANCELED",
  "ABORTED",
  "TIMED_OUT",
] as const;
export type NodeStatus = (typeof nodeStatuses)[number];

export const runStatuses = ["WAITING", "EXECUTING", "PAUSED", ...terminalStatuses] as const;
export type RunStatus = (typeof runStatuses)[number];

export const taskIdentifiers = ["execute-flow", "execute-subflow"] as const;
export type TaskIdentifier = (typeof taskIdentifiers)[number];

export const triggerSources = ["api", "manual", "webhook", "schedule", "subflow", "unknown"] as const;
export type TriggerSource = (typeof triggerSources)[number];

/** What a paused run can wait for. */
export const waitKinds = ["wait", "approval", "run-flow"] as const;
export type WaitKind = (typeof waitKinds)[number];
