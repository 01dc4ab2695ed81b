import type { CompiledFlow } from "../../domain/flow/compile.ts";
import type { InputOverrides } from "../../domain/flow/overrides.ts";
import type { MemoryPort } from "../../lifecycle/shared-memory.ts";
import type { NodeChange } from "../../domain/node-changes.ts";
import type {
  NodeOutcome,
  NodeServices,
  NodeType,
  ResolvedCredential,
  Suspension,
  TriggerEnvelope,
} from "../nodes/node-type.ts";

export interface RunOptions {
  readonly flow: CompiledFlow;
  readonly nodeTypes: ReadonlyMap<string, NodeType>;
  readonly run: RunIdentity;
  readonly trigger: TriggerEnvelope;
  readonly data: Readonly<Record<string, unknown>>;
  /** What expressions read as `vars`, where the flow speaks of them. */
  readonly vars?: Readonly<Record<string, unknown>> | undefined;
  readonly overrides?: InputOverrides;
  readonly services: NodeServices;
  resolveCredential(credentialId: string): Promise<ResolvedCredential>;
  readonly checkpoints: CheckpointPort;
  readonly waits: WaitPort;
  /** Where time is not that of a clock. */
  readonly time?: RunTime;
  /** When the run was started for the first time: what a flow takes for now before anything is recorded. */
  readonly startedAtMs?: number;
  readonly signal?: StopSignal;
  /** Where memory is shared with other runs. */
  readonly memory?: MemoryPort;
  /** Where the process may want to go before the run has ended. */
  readonly leaving?: LeavePort;
  /** What an abort makes of the nodes under way; without it they leave no record, because they will run again. */
  interruption?(): InterruptedStatus | undefined;
  /** A Promise where no effect may begin yet: it is not known whether the run is still this process's. */
  beforeEffect?(): Promise<void> | undefined;
  /** The link that answers an approval, by its node key. */
  resumeUrl?(nodeKey: string): string;
  /** Each node as it begins, pauses and ends. */
  onNode?(change: NodeChange): void;
  /** Where the run is traced: what a node sends along. */
  traceparent?: ((nodeKey: string) => string) | undefined;
  /** Each node as it ends, with all there is to know of it. */
  onRecord?(record: NodeRecord): void;
}

/** What a run needs of an AbortSignal. */
export interface StopSignal {
  readonly aborted: boolean;
  addEventListener(type: "abort", listener: () => void, options: { readonly once: true }): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/** A run that does nothing but wait for a time in place ends as aborted where this is asked for. */
interface LeavePort {
  readonly isAsked: boolean;
  /** Calls back when it is asked for. */
  rest(onAsked: () => void): void;
  stopResting(onAsked: () => void): void;
}

/** Time that passes when nothing else is left to do. */
export interface RunTime {
  /** Rejects where it is aborted. */
  sleepUntil(untilMs: number, signal: AbortSignal): Promise<void>;
  /** Goes on to the next moment that somebody sleeps until; false where nobody does. */
  pass(): boolean;
}

/** What expressions read as `run`. */
interface RunIdentity {
  readonly id: string;
  readonly attempt: number;
  readonly flowId: string;
  readonly organizationId: string;
  /** How many flows and agents that called each other stand above it; none where it is left out. */
  readonly depth?: number;
}

/** The one thing a durable run adds: what earlier attempts have done, and a place to keep what this one does. */
export interface CheckpointPort {
  /** By node key: what ended is not executed again, what was under way goes on from what is known of it. */
  readonly restored: ReadonlyMap<string, NodeRecord>;
  /** Called when a fact has to last, before the nodes behind it start. A rejection ends the run at once. */
  save(records: readonly NodeRecord[], bytes: number): Promise<void>;
}

/** Of a node that was stopped: with its run, by the end of the run in another branch, or by a limit of time. */
export type InterruptedStatus = "CANCELED" | "ABORTED" | "TIMED_OUT";

export interface NodeRecord {
  readonly nodeKey: string;
  readonly nodeId: string;
  readonly type: string;
  /** `EXECUTING`: what is known of a node that has not ended, its attempts so far, the items of a loop, the way that led to it. */
  readonly status: "COMPLETED" | "FAILED" | "EXECUTING" | InterruptedStatus;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attempts: number;
  readonly input: Readonly<Record<string, unknown>> | undefined;
  readonly output: Readonly<Record<string, unknown>> | undefined;
  /** The way out that was taken; none where the node ended the run. */
  readonly handle: string | undefined;
  readonly error: ErrorText | undefined;
  readonly log: readonly string[];
  /** Where it is later than when its scope was entered: the last fact inside a container, or before a failure. Milliseconds since 1970. */
  readonly factAt?: number | undefined;
  /** Of a node that joins any: the id of the node whose way was the first. */
  readonly joinedFrom?: string | undefined;
}

export interface ErrorText {
  readonly name: string;
  readonly message: string;
}

export interface RunError extends ErrorText {
  readonly nodeId: string;
}

/** Where nodes wait for what may outlast the process: times, approvals, other runs. */
export interface WaitPort {
  /**
   * Registers what an attempt of a node waits for, or finds what an earlier epoch has registered. Once it resolves the
   * wait has begun, whatever becomes of the run; a run that is not waited for exists.
   */
  begin(wait: WaitToBegin): Promise<BegunWait>;
  /** Somebody was told of what the attempt waits for; it is not told again. */
  notified?(nodeKey: string, attempt: number): Promise<void>;
  /** Whether an earlier epoch has begun the attempt, and nobody has withdrawn it. */
  has?(nodeKey: string, attempt: number): boolean;
  /** When the attempt has to have ended, where an earlier epoch has begun it. */
  expiryOf(nodeKey: string, attempt: number): number | undefined;
  /** The attempt of a container has ended: its limit of time holds no more. */
  end(nodeKey: string, attempt: number): void;
  /** The run is about to pause: an answer that comes from now on is for whoever goes on with it. */
  suspend(): void;
  /** Nobody waits for these any more: runs that were started for them are canceled. What has timed out is remembered as that. */
  withdraw(isMeant: (nodeKey: string) => boolean, end: "left" | "timed-out"): Promise<void>;
  /** Cancels the runs that nobody waits for any more, whoever has written that. */
  cancelGivenUp?(): Promise<void>;
}

export interface WaitToBegin {
  readonly nodeKey: string;
  readonly nodeId: string;
  readonly attempt: number;
  /** `container`: its time is limited, and goes on while nodes inside of it wait. */
  readonly suspension: Suspension | { readonly kind: "container" };
  /** The attempt ends with the error after this time. */
  readonly timeoutMs: number | undefined;
}

export interface BegunWait {
  /** Milliseconds since 1970, as all times. */
  readonly startedAt: number;
  readonly expiresAt: number | undefined;
  /** What is over within seconds is waited for in place. */
  readonly mayPause: boolean;
  readonly answer: Promise<WaitAnswer>;
  /** Somebody was told of it already, or it was answered without that. */
  readonly isNotified?: boolean;
}

export interface WaitAnswer {
  /** `{timedOut: true}` where the limit of the node's time was reached first. */
  readonly answer: Readonly<Record<string, unknown>>;
  readonly answeredAt: number;
}

/** How a run ended, with the records that were not saved yet and about how much all of it is as JSON. */
export type RunOutcome = {
  readonly records: readonly NodeRecord[];
  readonly bytes: number;
  /** Of the node that said so, where one did. Alone it would say that the flow goes on behind it. */
  readonly last?: NodeRecord;
} & (
  | { readonly kind: "completed"; readonly output: Readonly<Record<string, unknown>> }
  /** `isDeliberate`: the flow itself said so, and would say so again. */
  | { readonly kind: "failed"; readonly error: RunError; readonly isDeliberate: boolean }
  /** Nothing is left to do until something that a node waits for has been answered. */
  | { readonly kind: "suspended" }
  | { readonly kind: "aborted" }
);

/** What expressions read: `trigger`, `data`, `nodes`, `run`, `vars`, and in containers `item` and `index`. */
export type Variables = Readonly<Record<string, unknown>>;

/** What came of all attempts of a node. */
export type ExecutionOutcome =
  | (NodeOutcome & {
      /** Of a container: the moment of the last fact inside it. */
      readonly factAt?: number | undefined;
    })
  | { readonly kind: "error"; readonly error: unknown };
