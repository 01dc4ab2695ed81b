import type { CompiledScope } from "../../domain/flow/compile.ts";
import type { RunState } from "./run-state.ts";
import type { MemoryCount } from "./scope-memory.ts";
import type { InterruptedStatus, Variables } from "./run-types.ts";

/** A scope that is under way: the whole flow, or one round of a container. */
export interface ScopeRound {
  start(): void;
  /** `status` is what becomes of the nodes under way; without it they leave no record. */
  halt(status: InterruptedStatus | undefined): void;
}

export interface ScopeRoundOptions {
  readonly run: RunState;
  readonly scope: CompiledScope;
  /** The key of a node in this round. */
  readonly keyOf: (nodeId: string) => string;
  readonly variables: Variables;
  /** Of what is around it. */
  readonly memory: MemoryCount | undefined;
  /** Outputs that are known before it starts. */
  readonly nodes: Readonly<Record<string, unknown>>;
  /** The moment of the last fact before it. */
  readonly enteredMs: number;
  /** It is inside a container that goes on after a failure, or that is inside such a one. */
  readonly isFailureHandled: boolean;
  /** Called once, possibly before `start` returns. */
  readonly onEnd: (end: ScopeEnd) => void;
}

/** `atMs`: the moment of the last fact on the way to this end. */
export type ScopeEnd =
  | {
      readonly kind: "done";
      readonly result: unknown;
      readonly nodes: Readonly<Record<string, unknown>>;
      readonly atMs: number;
    }
  | { readonly kind: "failed"; readonly failure: NodeFailure; readonly atMs: number }
  | { readonly kind: "halted" };

/** Passed down, because containers are executed by what they make rounds of. */
export type MakeRound = (options: ScopeRoundOptions) => ScopeRound;

/** The error of a node, which may lie inside of containers. */
export class NodeFailure extends Error {
  readonly nodeId: string;
  readonly error: unknown;

  /** The one that is inside already, where there is one. */
  static of(nodeId: string, error: unknown): NodeFailure {
    return error instanceof NodeFailure ? error : new NodeFailure(nodeId, error);
  }

  constructor(nodeId: string, error: unknown) {
    super(`Node ${nodeId} failed`);
    this.nodeId = nodeId;
    this.error = error;
  }
}
