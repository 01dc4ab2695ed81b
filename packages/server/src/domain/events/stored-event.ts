import type { WaitKind } from "@millrace/contract/run-status";

/** An event as the log holds it. */
export interface StoredEvent {
  readonly id: string;
  readonly type: string;
  readonly runId: string | null;
  /** When it happened. */
  readonly at: Date;
  /** Of a run or queue item: RunEventData. Of anything else: what is sent. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** The state of a run, or of its queue item, at the moment of the event. */
export interface RunEventData {
  readonly flowId: string;
  readonly version: string;
  readonly status: string;
  readonly triggerSource: string;
  readonly tags: readonly string[];
  readonly isTest: boolean;
  readonly attempt: number;
  readonly parentRunId: string | null;
  readonly startedAt: string | null;
  readonly completedAt: string | null;
  readonly error: { readonly name: string; readonly message: string; readonly nodeId?: string } | null;
  readonly waits: readonly RunWait[] | null;
}

export interface RunWait {
  readonly nodeKey: string;
  readonly nodeId: string;
  readonly kind: WaitKind;
  readonly message?: string;
  readonly dueAt?: string;
}
