import { NodeError } from "../nodes/node-type.ts";
import type { FailedAttempt } from "./execute-node.ts";
import { hasFailed, momentAfter } from "./memory.ts";
import type { ErrorText, NodeRecord } from "./run-types.ts";
import { NodeFailure, type ScopeRoundOptions } from "./scope-types.ts";

const unknownError: ErrorText = { name: "NodeFailed", message: "Node failed" };

/**
 * The failure that ended a round before, where its container goes on after it: nothing of that round begins again. A
 * failure that nobody has handled ended an attempt of the run, and that node is tried again.
 */
export function failureOfRound({
  run,
  scope,
  keyOf,
  isFailureHandled,
  enteredMs,
}: ScopeRoundOptions): { failure: NodeFailure; atMs: number } | undefined {
  const { restored } = run.options.checkpoints;
  if (!isFailureHandled || restored.size === 0) return undefined;
  const failures = scope.nodes.flatMap((node) => {
    const record = restored.get(keyOf(node.id));
    return record !== undefined && hasFailed(record) ? [{ node, record }] : [];
  });
  const [first] = failures.toSorted((a, b) => a.record.endedAt - b.record.endedAt);
  if (first === undefined) return undefined;
  const { node, record } = first;
  return {
    failure: new NodeFailure(node.id, toError(record.error)),
    atMs: momentAfter(node, record, enteredMs),
  };
}

/** The attempt that has failed before, where the node is to go on behind it. */
export function failedAttemptOf(record: NodeRecord | undefined): FailedAttempt | undefined {
  if (record?.status !== "EXECUTING" || record.error === undefined) return undefined;
  return { error: toError(record.error), atMs: record.endedAt, isRemembered: true };
}

function toError({ name, message }: ErrorText = unknownError): NodeError {
  return new NodeError(name, message);
}
