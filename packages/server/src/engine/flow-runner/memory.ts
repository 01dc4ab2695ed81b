import type { CompiledNode } from "../../domain/flow/compile.ts";
import type { NodeRecord } from "./run-types.ts";

/** What is known of a node before it is executed. */
export interface KnownExecution extends Partial<NodeRecord> {
  readonly log: readonly string[];
}

/** It ended, and what comes behind it goes on from there. */
export function hasPassed({ status, handle }: NodeRecord): boolean {
  return status === "COMPLETED" || (status === "FAILED" && handle != null);
}

/** It failed, and the scope around it with it. */
export function hasFailed({ status, handle }: NodeRecord): boolean {
  return status === "FAILED" && handle == null;
}

/** What of a record the next execution goes on from: attempts that were made, and the items that a loop was entered with. */
export function knownOf(node: CompiledNode, record: NodeRecord): KnownExecution | undefined {
  if (record.status === "EXECUTING") return record;
  return node.children === undefined ? undefined : { input: record.input, log: [] };
}

/** Failures that depend on more than the flow and its records: the same node may not fail the next time. */
const passing = new Set([
  "NodeFailed",
  "NodeTimeout",
  "RunTooLarge",
  "RunTooLong",
  "SandboxLost",
  "SandboxCanceled",
  "CodeTimeout",
  "CodeMemory",
  "ExpressionTimeout",
  "ExpressionMemory",
  "SchemaTimeout",
  "SchemaMemory",
]);

/**
 * What happened and could not be found out again: an effect, a pause, a failure by chance. It is recorded before anything
 * follows from it, and time goes on with it. All else is a function of the facts before it.
 */
export function isFact(
  { kind }: CompiledNode,
  { status, error }: Pick<NodeRecord, "status" | "error">,
): boolean {
  if (kind.effect || kind.pauses) return true;
  // The rounds that a failed container has stopped must not begin again.
  return status === "FAILED" && (kind.container === true || passing.has(error?.name ?? ""));
}

/** An effect that nobody notices: what it found has to last only before something follows that somebody does notice. */
export function isLookUp({ kind }: CompiledNode, inputs: Readonly<Record<string, unknown>>): boolean {
  if (!kind.effect || kind.touches === undefined) return false;
  const { changes, outside } = kind.touches(inputs);
  return !changes && !outside;
}

/** What is now behind a node that began at `atMs`. */
export function momentAfter(node: CompiledNode, record: NodeRecord, atMs: number): number {
  const endedMs = isFact(node, record) ? Math.floor(record.endedAt) : 0;
  return Math.max(atMs, endedMs, record.factAt ?? 0);
}
