import type { StoredAnswer } from "../storage/runs/load-checkpoints.ts";
import type { ErrorText, NodeRecord } from "./flow-runner/run-types.ts";

export interface Restored {
  readonly restored: ReadonlyMap<string, NodeRecord>;
  readonly failedWaits: ReadonlyMap<string, ErrorText>;
  /** Those of `restored` that are known by their answer alone and have no record yet. */
  readonly answered: readonly NodeRecord[];
}

/** What a run goes on from: nodes that have ended, and nodes whose wait has been answered. */
export function restore({ records, answers }: { records: NodeRecord[]; answers: StoredAnswer[] }): Restored {
  const restored = new Map(records.map((record) => [record.nodeKey, record]));
  const failedWaits = new Map<string, ErrorText>();
  const answered: NodeRecord[] = [];
  for (const answer of answers) {
    if (restored.has(answer.nodeKey)) continue;
    const failure = failureOf(answer);
    if (failure) failedWaits.set(answer.nodeKey, failure);
    else answered.push(recordOf(answer));
  }
  for (const record of answered) restored.set(record.nodeKey, record);
  return { restored, failedWaits, answered };
}

/** A sub-flow that did not complete. */
function failureOf({ kind, answer }: StoredAnswer): ErrorText | undefined {
  if (kind !== "run-flow") return undefined;
  const { runId, status, error } = answer as { runId?: string; status?: string; error?: ErrorText | null };
  if (error) {
    return {
      name: error.name,
      message: runId ? `The run ${runId} ended ${status}: ${error.message}` : error.message,
    };
  }
  return status === "CANCELED"
    ? { name: "SubflowCanceled", message: `The run ${runId} was cancelled.` }
    : undefined;
}

function recordOf({ nodeKey, nodeId, kind, answer, createdAt, answeredAt }: StoredAnswer): NodeRecord {
  return {
    nodeKey,
    nodeId,
    type: kind,
    status: "COMPLETED",
    startedAt: createdAt.getTime(),
    endedAt: answeredAt.getTime(),
    attempts: 1,
    input: undefined,
    output: Object.fromEntries(Object.entries(answer).filter(([, value]) => value !== null)),
    handle: kind === "approval" ? String(answer["decision"]) : "out",
    error: undefined,
    log: [],
  };
}
