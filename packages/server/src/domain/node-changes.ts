import type { NodeStatus } from "@millrace/contract/run-status";

/** A node has begun, pauses, or has ended. */
export interface NodeChange {
  readonly nodeKey: string;
  readonly nodeId: string;
  readonly type: string;
  readonly status: NodeStatus;
  /** Milliseconds since 1970 with fractions: no two moments of a run are the same, so they say what came first. */
  readonly startedAt: number;
  /** Where it has ended. */
  readonly endedAt?: number | undefined;
}

/** Without what else a record of the node holds. */
export function toNodeChange({ nodeKey, nodeId, type, status, startedAt, endedAt }: NodeChange): NodeChange {
  return { nodeKey, nodeId, type, status, startedAt, endedAt };
}

/**
 * What is new to somebody who was told what `told` holds, by node key, in the order in which it happened; `told` then holds it
 * too. A node that is known by its end alone also begins. `stored` comes in any order, `live` as it came: a run that
 * goes on after a pause comes to its waiting nodes once more, and that is no news.
 */
export function tellInOrder(
  told: Map<string, NodeChange>,
  { stored = [], live = [] }: { stored?: readonly NodeChange[]; live?: readonly NodeChange[] },
): NodeChange[] {
  const news: NodeChange[] = [];
  for (const change of [...stored.toSorted(byMoment), ...live]) {
    const last = told.get(change.nodeKey);
    if (last !== undefined && !isNews(change, last)) continue;
    if (change.status !== "EXECUTING" && (last === undefined || last.endedAt !== undefined))
      news.push({ ...change, status: "EXECUTING", endedAt: undefined });
    news.push(change);
    told.set(change.nodeKey, change);
  }
  return stored.length > 0 ? news.sort(byMoment) : news;
}

function byMoment(one: NodeChange, other: NodeChange): number {
  return momentOf(one) - momentOf(other);
}

function momentOf({ startedAt, endedAt }: NodeChange): number {
  return endedAt ?? startedAt;
}

/** A node begins once, however often a run that was interrupted comes to it; only a failed one begins again later. */
function isNews(change: NodeChange, last: NodeChange): boolean {
  if (last.endedAt !== undefined) return momentOf(change) > last.endedAt && change.startedAt > last.startedAt;
  return change.endedAt !== undefined || (change.status === "PAUSED" && last.status === "EXECUTING");
}
