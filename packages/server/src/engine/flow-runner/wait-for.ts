import type { CompiledNode } from "../../domain/flow/compile.ts";
import type { Suspension } from "../nodes/node-type.ts";
import { limitedWait, timeoutOf } from "./limits.ts";
import type { RunState } from "./run-state.ts";
import type { WaitAnswer } from "./run-types.ts";
import { HALTED } from "./halted.ts";

/** A node whose attempt waits. */
interface WaitingNode {
  readonly run: RunState;
  readonly node: CompiledNode;
  readonly nodeKey: string;
  readonly nodeId: string;
  readonly attempts: number;
  readonly signal: AbortSignal;
  readonly isHalted: boolean;
  startedAt: number;
  endedAt: number | undefined;
  markBegun(): void;
}

/** Registers what the attempt waits for and waits for the answer, in this epoch or a later one. */
export async function waitFor(
  execution: WaitingNode,
  suspension: Suspension,
  notify?: () => Promise<unknown>,
): Promise<WaitAnswer["answer"]> {
  const { run, node, nodeKey, nodeId, attempts, signal } = execution;
  const beginning = run.begin({ nodeKey, nodeId, attempt: attempts, ...limitedWait(node, suspension) });
  // Started when its time is over already, it has to exist before it can be given up.
  const isOver = () => run.hold(beginning);
  signal.addEventListener("abort", isOver, { once: true });
  const begun = await beginning;
  signal.removeEventListener("abort", isOver);
  execution.markBegun();
  execution.startedAt = Math.min(execution.startedAt, begun.startedAt);
  if (notify && !begun.isNotified) await tell(execution, notify);
  const { startedAt } = execution;
  const answered = untilAborted(execution, begun.answer, signal);
  if (begun.mayPause) run.options.onNode?.({ nodeKey, nodeId, type: node.type, status: "PAUSED", startedAt });
  const { answer, answeredAt } = await (begun.mayPause ? run.activity.pausing(answered) : run.rest(answered));
  execution.endedAt = answeredAt;
  if (suspension.kind === "run-flow" && isBad(answer)) giveUp(run);
  if (answer["timedOut"] === true) throw timeoutOf(node);
  return answer;
}

/** Where it fails the attempt has failed, and what it waited for cannot be answered any more. */
async function tell(execution: WaitingNode, notify: () => Promise<unknown>): Promise<void> {
  const { run, nodeKey, attempts, signal } = execution;
  const { waits } = run.options;
  try {
    await run.beforeEffect();
    signal.throwIfAborted();
    await notify();
  } catch (error) {
    if (!execution.isHalted && !signal.aborted)
      await run.complete(waits.withdraw((key) => key === nodeKey, "left"));
    throw error;
  }
  await run.complete(waits.notified?.(nodeKey, attempts) ?? Promise.resolve());
}

/** An attempt that is stopped waits no more, and says so. */
function untilAborted<Result>(
  execution: WaitingNode,
  result: Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      const isMeant = (nodeKey: string) => nodeKey === execution.nodeKey;
      execution.run.withdraw(isMeant, execution.isHalted ? "left" : "timed-out");
      reject(HALTED);
    };
    signal.addEventListener("abort", abort, { once: true });
    result.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
    if (signal.aborted) abort();
  });
}

function isBad({ timedOut, error, status }: WaitAnswer["answer"]): boolean {
  return timedOut === true || (error ?? undefined) !== undefined || status === "CANCELED";
}

/** A run that ended badly, or was given up, may have left others behind. */
function giveUp(run: RunState): void {
  const canceled = run.options.waits.cancelGivenUp?.();
  if (canceled) run.hold(canceled);
}
