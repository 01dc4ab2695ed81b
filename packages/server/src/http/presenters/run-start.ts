import { withPrefix } from "../../domain/ids.ts";
import { isoText } from "../../domain/iso-text.ts";
import type { RunStart } from "../../operations/runs/start-run.ts";
import type { Answer } from "../route.ts";

/** 201 with the run, or 202 with its place in the queue; `more` stands beside either. */
export function presentRunStart(start: RunStart, more: object = {}): Answer {
  const { runId, organizationId, flowId } = start;
  const headers: Record<string, string> = start.replayed ? { "idempotent-replayed": "true" } : {};
  if (start.queued) {
    const data = {
      status: "queued",
      queueId: withPrefix(runId, "queue"),
      runHistoryId: withPrefix(runId, "rh"),
      ...more,
    };
    return { status: 202, headers, body: { success: true, data } };
  }
  const data = {
    id: runId,
    status: start.status,
    taskIdentifier: "execute-flow",
    payload: { organizationId, flowId },
    createdAt: isoText(start.createdAt.getTime()),
    ...more,
  };
  return { status: 201, headers, body: { success: true, data } };
}
