import type { NodeStatus } from "@millrace/contract/run-status";
import type { CompiledFlow } from "./flow/compile.ts";
import type { InputOverrides } from "./flow/overrides.ts";
import type { Sliced } from "./sliced.ts";

/** What a replay is asked: a flow, what triggered it, and what every call to the outside answers. */
export interface ReplayRequest {
  readonly flow: CompiledFlow;
  readonly run: {
    readonly id: string;
    readonly attempt: number;
    readonly flowId: string;
    readonly organizationId: string;
  };
  readonly trigger: Readonly<Record<string, unknown>> | undefined;
  readonly data: Readonly<Record<string, unknown>>;
  /** What expressions read as `vars`. */
  readonly vars?: Readonly<Record<string, unknown>> | null | undefined;
  readonly overrides?: InputOverrides | undefined;
  /** What is now for the flow when it starts. */
  readonly startedAtMs: number;
  readonly signal: AbortSignal;
  /**
   * Undefined: the replay ends there, unless it is a wait, which then takes its own time. `pending`: the node never ends, and
   * others go on.
   */
  answer(call: ReplayCall): Sliced<ReplayAnswer | "pending" | undefined>;
}

/** A node that would reach outside, ask a person or wait. */
export interface ReplayCall {
  readonly nodeKey: string;
  readonly nodeId: string;
  readonly type: string;
  /** Counted from 1. */
  readonly attempt: number;
  readonly input: Readonly<Record<string, unknown>>;
}

export type ReplayAnswer = {
  /** When it came; at once where left out. */
  readonly atMs?: number | undefined;
} & (
  | { readonly output: Readonly<Record<string, unknown>> }
  | {
      readonly error: {
        readonly name: string;
        readonly message: string;
        readonly status?: number | undefined;
        /** Another attempt may end better, whatever the name says. */
        readonly mayPass?: boolean | undefined;
      };
    }
  /** It was stopped then; what would have come of it nobody knows. */
  | { readonly unknown: true }
);

export interface ReplayedNode {
  readonly nodeKey: string;
  readonly nodeId: string;
  readonly type: string;
  readonly status: NodeStatus;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attempts: number;
  readonly input: Readonly<Record<string, unknown>> | undefined;
  readonly output: Readonly<Record<string, unknown>> | undefined;
  readonly handle: string | undefined;
  readonly error: { readonly name: string; readonly message: string } | undefined;
  readonly log: readonly string[];
}

interface RunFailure {
  readonly name: string;
  readonly message: string;
  readonly nodeId: string;
}

export interface ReplayResult {
  /** `UNANSWERED`: nothing is known of a call. `PENDING`: only pending nodes are left. `CANCELED`: whoever asked has lost interest. */
  readonly status: "COMPLETED" | "FAILED" | "UNANSWERED" | "PENDING" | "CANCELED";
  readonly output?: Readonly<Record<string, unknown>>;
  readonly error?: RunFailure;
  /** In the order in which they began. */
  readonly path: readonly { readonly nodeKey: string; readonly nodeId: string }[];
  /** In the order in which they ended. */
  readonly nodes: readonly ReplayedNode[];
  /** What would have left the service, every attempt of it. */
  readonly calls: readonly ReplayCall[];
  /** The first call that nothing is known of. */
  readonly unanswered?: ReplayCall;
  /** Of the flow's own time. */
  readonly endedAtMs: number;
}

/** Runs a flow in its own time, with all its rules, and without anything outside. */
export type Replay = (request: ReplayRequest) => Promise<ReplayResult>;
