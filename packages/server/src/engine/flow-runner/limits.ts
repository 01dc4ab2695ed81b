import { setTimeout as delay } from "node:timers/promises";
import type { CompiledNode } from "../../domain/flow/compile.ts";
import { NodeError, type Suspension } from "../nodes/node-type.ts";
import type { WaitToBegin } from "./run-types.ts";

/** Longer timers would be over at once. */
const maxTimerMs = 2 ** 31 - 1;

/** Shorter waits are waited for. For longer ones a run gives its slot back, and a dry run asks. */
export const maxWaitInPlaceMs = 5_000;

/** Not before `now()` says so: timers may be early. */
export async function delayUntil(untilMs: number, now: () => number, signal: AbortSignal): Promise<void> {
  for (let leftMs = untilMs - now(); leftMs > 0; leftMs = untilMs - now())
    await delay(Math.min(Math.ceil(leftMs), maxTimerMs), undefined, { signal });
}

export function timeoutOf({ timeoutMs = 0 }: CompiledNode): NodeError {
  return new NodeError("NodeTimeout", `The node took longer than ${timeoutMs / 1_000} seconds.`);
}

/** An approval whose handle `timeout` leads somewhere ends by it, not by the error. */
export function endsByHandle({ type, outgoing }: CompiledNode): boolean {
  return type === "approval" && outgoing.some(({ handle }) => handle === "timeout");
}

/** What the node waits for within the time that its `timeoutSeconds` gives it. */
export function limitedWait(
  node: CompiledNode,
  suspension: Suspension,
): Pick<WaitToBegin, "suspension" | "timeoutMs"> {
  const { timeoutMs } = node;
  if (timeoutMs === undefined || suspension.kind !== "approval" || !endsByHandle(node))
    return { suspension, timeoutMs };
  return {
    suspension: { ...suspension, timeoutMs: Math.min(timeoutMs, suspension.timeoutMs ?? timeoutMs) },
    timeoutMs: undefined,
  };
}

/** Whether a node with this key is executed by a round of the container. */
export function isInside(container: CompiledNode, containerKey: string): (nodeKey: string) => boolean {
  if (containerKey !== container.id) return (nodeKey) => nodeKey.startsWith(`${containerKey}.`);
  const starts = container.children?.nodes.map(({ id }) => `${id}[`) ?? [];
  return (nodeKey) => starts.some((start) => nodeKey.startsWith(start));
}
