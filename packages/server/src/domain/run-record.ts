import type { RunStatus, TaskIdentifier, TriggerSource, WaitKind } from "@millrace/contract/run-status";

/** A run as lists show it. */
export interface RunRecord {
  readonly id: string;
  readonly organizationId: string;
  readonly flowId: string;
  readonly version: string;
  readonly status: RunStatus;
  readonly taskIdentifier: TaskIdentifier;
  readonly triggerSource: TriggerSource;
  readonly tags: readonly string[];
  /** Out of the id. */
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
}

export interface RunDetailRecord extends RunRecord {
  /** JSON as it was stored: it may be ten megabytes that nobody here has to read. */
  readonly data: string | null;
  readonly output: string | null;
  readonly error: RunErrorRecord | null;
  /** What its nodes wait for right now, approvals first, then the oldest. */
  readonly waits: readonly RunWaitRecord[];
  /** The run that this one goes on from. */
  readonly forkedFrom: RunForkRecord | null;
  /** Runs that go on from this one, newest first. */
  readonly forks: readonly RunForkRecord[];
}

export interface RunForkRecord {
  readonly runId: string;
  /** Where the fork begins. */
  readonly nodeKey: string;
}

export interface RunErrorRecord {
  readonly name: string;
  readonly message: string;
  readonly nodeId?: string;
}

export interface RunWaitRecord {
  readonly nodeKey: string;
  readonly nodeId: string;
  readonly kind: WaitKind;
  readonly message?: string;
  readonly assignees?: readonly string[];
  readonly form?: Readonly<Record<string, unknown>>;
  readonly until?: string;
}

/** What one node did, as the engine keeps it. */
export interface RunNodeRecord {
  readonly nodeKey: string;
  readonly nodeId: string;
  readonly type: string;
  /** `EXECUTING`: it has not ended, and this is what is known of it so far. */
  readonly status: "COMPLETED" | "FAILED" | "EXECUTING" | "CANCELED" | "ABORTED" | "TIMED_OUT";
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attempts: number;
  readonly input?: Record<string, unknown>;
  readonly output?: Record<string, unknown>;
  readonly handle?: string;
  readonly error?: { readonly name: string; readonly message: string };
  readonly log: readonly string[];
  /** Input and output are left out because all before them are large enough together. */
  readonly valuesLeftOut?: boolean;
  /** Values and messages are left out because the organization hides them from viewers. */
  readonly valuesHidden?: boolean;
}

/** A trigger that was answered 202, on its way to the run. */
export interface QueueItemRecord {
  /** Of the run it becomes. */
  readonly id: string;
  readonly organizationId: string;
  readonly flowId: string;
  readonly status: "waiting" | "dispatching" | "dispatched";
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Structure, times and statuses: no input, no output, no message. */
export function withoutValues(run: RunDetailRecord): RunDetailRecord {
  const { error, waits } = run;
  return {
    ...run,
    data: null,
    output: null,
    error: error && { ...error, message: "" },
    waits: waits.map(({ message: _message, ...wait }) => wait),
  };
}

export function withoutNodeValues(node: RunNodeRecord): RunNodeRecord {
  const { input: _input, output: _output, error, ...head } = node;
  return { ...head, ...(error && { error: { ...error, message: "" } }), log: [], valuesHidden: true };
}
