import type { NodeStatus } from "@millrace/contract/run-status";

/** What a dry run is asked: a flow of some files, what triggers it, and who answers what it waits for. */
export interface DryRunRequest {
  readonly paths: readonly string[];
  /** Needed where the files hold several flows. */
  readonly flowId: string | undefined;
  readonly trigger: Readonly<Record<string, unknown>>;
  readonly data: Readonly<Record<string, unknown>>;
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Variables of the organization, beside those of its document. */
  readonly vars?: Readonly<Record<string, unknown>> | undefined;
  readonly signal: AbortSignal;
  readonly answers: DryRunAnswers;
  onStart(start: DryRunStart): void;
  onNode(event: DryRunNode): void;
}

/** A rejection ends the dry run with its text. */
export interface DryRunAnswers {
  /** Resolves when the flow may go on, before its time or at it. */
  wait(pause: { readonly nodeId: string; readonly untilMs: number }): Promise<void>;
  approval(pause: { readonly nodeId: string; readonly message: string }): Promise<{
    readonly decision: "approved" | "rejected";
    readonly data?: Readonly<Record<string, unknown>>;
  }>;
}

export interface DryRunStart {
  readonly type: "started";
  readonly runId: string;
  readonly flowId: string;
  readonly warnings: readonly string[];
}

export interface DryRunNode {
  readonly type: "node";
  readonly flowId: string;
  /** 0 in the flow itself, 1 in the flows that it runs, and so on. */
  readonly depth: number;
  readonly nodeKey: string;
  readonly nodeId: string;
  readonly nodeType: string;
  readonly status: NodeStatus;
  readonly durationMs?: number;
  readonly attempts?: number;
  readonly output?: Readonly<Record<string, unknown>>;
  readonly handle?: string;
  readonly error?: { readonly name: string; readonly message: string };
  readonly log?: readonly string[];
}

export type DryRunResult = {
  readonly type: "finished";
  readonly runId: string;
  readonly durationMs: number;
} & (
  | { readonly status: "COMPLETED"; readonly output: Readonly<Record<string, unknown>> }
  | {
      readonly status: "FAILED";
      readonly error: { readonly name: string; readonly message: string; readonly nodeId: string };
    }
  | { readonly status: "CANCELED" }
);

/** Runs a flow in memory, without a server and without a database. */
export type DryRun = (request: DryRunRequest) => Promise<DryRunResult>;
