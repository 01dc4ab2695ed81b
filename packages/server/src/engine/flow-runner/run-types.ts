import type { CompiledFlow } from "../../domain/flow/compile.ts";
import type { InputOverrides } from "../../domain/flow/overrides.ts";
import type { NodeChange } from "../../domain/node-changes.ts";
import type {
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
  readonly overrides?: InputOverrides;
  readonly services: NodeServices;
  resolveCredential(credentialId: string): Promise<ResolvedCredential>;
  readonly checkpoints: CheckpointPort;
  readonly signal?: AbortSignal;
  /** Each node as it begins, pauses and ends. */
  onNode?(change: NodeChange): void;
  /** Each node as it ends, with all there is to know of it. */
  onRecord?(record: NodeRecord): void;
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
interface CheckpointPort {
  /** By node key; these nodes are not executed again. */
  readonly restored: ReadonlyMap<string, NodeRecord>;
  /** By node key; these nodes waited for something that failed, and fail with it instead of waiting again. */
  readonly failedWaits?: ReadonlyMap<string, ErrorText>;
  /** Called when an effect has ended, before the nodes behind it start. A rejection ends the run at once. */
  save(records: readonly NodeRecord[], bytes: number): Promise<void>;
}

export interface NodeRecord {
  readonly nodeKey: string;
  readonly nodeId: string;
  readonly type: string;
  readonly status: "COMPLETED" | "FAILED";
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
}

export interface ErrorText {
  readonly name: string;
  readonly message: string;
}

export interface RunError extends ErrorText {
  readonly nodeId: string;
}

export interface PendingSuspension {
  readonly nodeKey: string;
  readonly nodeId: string;
  readonly suspension: Suspension;
}

/** How a run ended, with the records that were not saved yet and about how much all of it is as JSON. */
export type RunOutcome = { readonly records: readonly NodeRecord[]; readonly bytes: number } & (
  | { readonly kind: "completed"; readonly output: Readonly<Record<string, unknown>> }
  | { readonly kind: "failed"; readonly error: RunError }
  | { readonly kind: "suspended"; readonly suspensions: readonly PendingSuspension[] }
  | { readonly kind: "aborted" }
);
