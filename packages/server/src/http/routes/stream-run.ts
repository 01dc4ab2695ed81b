import { type RunStreamEvent, runStreamQuery } from "@millrace/contract/runs";
import { isTerminal } from "../../domain/run-status.ts";
import type { NodeChange, WatchedRun } from "../../operations/runs/run-watch.ts";
import type { WatchRun } from "../../operations/runs/watch-run.ts";
import { defineRoute } from "../route.ts";
import { type EventStream, type EventStreams, eventText } from "../sse.ts";

const IDLE_LIMIT_MS = 600_000;

export const streamRun = (operation: WatchRun, streams: EventStreams, idleLimitMs = IDLE_LIMIT_MS) =>
  defineRoute({
    method: "GET",
    path: "/api/runs/{runId}/stream",
    name: "streamRun",
    summary: "Follow one run as Server-Sent Events until it ends",
    tag: "Runs",
    access: "key",
    stream: true,
    query: runStreamQuery,
    answers: {
      200: {
        description: "Messages of type connected, update, completed and error, with include=nodes also node",
      },
    },
    errors: ["invalid_run_id", "invalid_query", "run_not_found"],
    async handle({ principal, params, query, reply }) {
      const withNodes = query.include === "nodes";
      let stream: EventStream | undefined;
      const unsubscribe = await operation(principal, params.runId!, { withNodes }, (run, nodes) => {
        const onIdle = () => opened.end(line({ type: "error", error: "Stream timed out" }));
        const opened = streams.open(reply, { idle: { afterMs: idleLimitMs, onIdle } });
        stream = opened;
        const nodeLines = nodes.map((data) => line({ type: "node", data })).join("");
        opened.send(line({ type: "connected", runId: run.id }) + updateLine(run) + nodeLines);
        endWith(run, opened);
        const onUpdate = (run: WatchedRun) => {
          opened.sendNewest(updateLine(run));
          endWith(run, opened);
        };
        const onNode = (data: NodeChange) => void opened.send(line({ type: "node", data }));
        return withNodes ? { onUpdate, onNode } : { onUpdate };
      });
      stream?.onClose(unsubscribe);
      return undefined;
    },
  });

function endWith(run: WatchedRun, stream: EventStream): void {
  if (isTerminal(run.status)) stream.end(line({ type: "completed", status: run.status }));
}

function line(event: RunStreamEvent): string {
  return eventText(event);
}

const updateLines = new WeakMap<WatchedRun, string>();

/** Written once for all streams of a run. */
function updateLine(run: WatchedRun): string {
  const known = updateLines.get(run);
  if (known !== undefined) return known;
  const { id, status, taskIdentifier, organizationId, flowId, triggerSource, updatedAt } = run;
  const text = line({
    type: "update",
    data: {
      id,
      status,
      taskIdentifier,
      payload: { organizationId, flowId, triggerSource },
      updatedAt: updatedAt.toISOString(),
    },
  });
  updateLines.set(run, text);
  return text;
}
