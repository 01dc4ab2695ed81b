import type { Suspension } from "../nodes/node-type.ts";
import { limitedWait, timeoutOf } from "./limits.ts";
import type { NodeExecution } from "./node-execution.ts";
import type { WaitAnswer } from "./run-types.ts";

/** Registers what the attempt waits for and waits for the answer, in this epoch or a later one. */
export async function waitFor(
  execution: NodeExecution,
  suspension: Suspension,
): Promise<WaitAnswer["answer"]> {
  const { run, node, nodeKey, nodeId, attempts, signal } = execution;
  const begun = await run.begin({ nodeKey, nodeId, attempt: attempts, ...limitedWait(node, suspension) });
  execution.markBegun();
  execution.startedAt = Math.min(execution.startedAt, begun.startedAt);
  const { startedAt } = execution;
  const answered = untilAborted(execution, begun.answer, signal);
  if (begun.mayPause) run.options.onNode?.({ nodeKey, nodeId, type: node.type, status: "PAUSED", startedAt });
  const { answer, answeredAt } = await (begun.mayPause ? run.activity.pausing(answered) : answered);
  execution.endedAt = answeredAt;
  if (answer["timedOut"] === true) throw timeoutOf(node);
  return answer;
}

/** An attempt that is stopped waits no more, and says so. */
function untilAborted<Result>(
  execution: NodeExecution,
  result: Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      const isMeant = (nodeKey: string) => nodeKey === execution.nodeKey;
      execution.run.withdraw(isMeant, execution.isHalted ? "left" : "timed-out");
      reject(new Error("The attempt has ended"));
    };
    signal.addEventListener("abort", abort, { once: true });
    result.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
    if (signal.aborted) abort();
  });
}
