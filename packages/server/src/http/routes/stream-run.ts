import { runStreamEvent, runStreamQuery } from "@millrace/contract/runs";
import { isTerminal } from "../../domain/run-status.ts";
import { watchRun } from "../../operations/runs/watch-run.ts";
import { headerText } from "../errors.ts";
import { type ContextOf, defineRoute } from "../route.ts";
import { COMPLETED_ID, RunStream } from "../run-stream.ts";
import type { EventStream, EventStreams } from "../sse.ts";

const IDLE_LIMIT_MS = 600_000;

export const streamRunRoute = (
  context: ContextOf<typeof watchRun>,
  streams: EventStreams,
  idleLimitMs = IDLE_LIMIT_MS,
) =>
  defineRoute({
    method: "GET",
    path: "/api/runs/{runId}/stream",
    name: "streamRun",
    summary: "Follow one run as Server-Sent Events until it ends",
    tag: "Runs",
    access: "key",
    stream: true,
    events: runStreamEvent,
    query: runStreamQuery,
    headers: {
      "Last-Event-ID": "the id of the last event that was seen; after that of `completed` the answer is 204",
    },
    answers: {
      200: {
        description: "Messages of type connected, update, completed and error, with include=nodes also node",
      },
      204: { description: "The run has ended, and Last-Event-ID says that its end was seen" },
    },
    errors: ["invalid_run_id", "invalid_query", "run_not_found"],
    async handle({ principal, params, query, raw, reply }) {
      const withNodes = query.include === "nodes";
      const hasSeenEnd = headerText(raw, "last-event-id") === COMPLETED_ID;
      const opened: EventStream[] = [];
      const unsubscribe = await watchRun(context, principal, params.runId!, { withNodes }, (run, nodes) => {
        if (hasSeenEnd && isTerminal(run.status)) return undefined;
        const onIdle = () => stream.fail("Stream timed out");
        const events = streams.open(reply, { idle: { afterMs: idleLimitMs, onIdle } });
        opened.push(events);
        const stream = new RunStream(events);
        stream.begin(run, nodes);
        const onUpdate = stream.update.bind(stream);
        return withNodes ? { onUpdate, onNodes: stream.nodes.bind(stream) } : { onUpdate };
      });
      if (opened.length === 0) return { status: 204 };
      for (const events of opened) events.onClose(unsubscribe);
      return undefined;
    },
  });
