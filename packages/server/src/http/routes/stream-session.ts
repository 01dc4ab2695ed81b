import { chatEvent, streamSessionQuery } from "@millrace/contract/chat";
import { followSession } from "../../operations/agent-chat/follow-session.ts";
import { streamReply } from "../chat-stream.ts";
import { headerText } from "../errors.ts";
import { type ContextOf, defineRoute } from "../route.ts";
import type { EventStreams } from "../sse.ts";

export const streamSessionRoute = (context: ContextOf<typeof followSession>, streams: EventStreams) =>
  defineRoute({
    method: "GET",
    path: "/api/agents/{agentId}/sessions/{sessionId}/stream",
    name: "streamSession",
    summary: "Resume the stream of a session after the event with Last-Event-ID",
    tag: "Agents",
    access: "key",
    lasting: true,
    stream: true,
    events: chatEvent,
    query: streamSessionQuery,
    headers: { "Last-Event-ID": "events after this one; wins over lastEventId" },
    answers: {
      200: { description: "What is newer and what still comes, as Server-Sent Events" },
      204: { description: "Nothing is newer and nothing is running" },
    },
    errors: [
      "invalid_query",
      "invalid_last_event_id",
      "invalid_agent_id",
      "access_denied",
      "organization_access_denied",
      "agent_not_found",
      "session_not_found",
    ],
    async handle({ principal, params, query, locale, raw, reply: answer }) {
      const reply = await followSession(context, principal, params.agentId!, params.sessionId!, {
        organizationId: query.organizationId,
        // A client that reconnects repeats its first address; only the header knows how far it came.
        lastEventId: headerText(raw, "last-event-id") || query.lastEventId,
      });
      if (!reply) return { status: 204 };
      const withTools = query.include === "tools";
      await streamReply(answer, reply, { streams, locale, holdHeadersMs: 0, withTools });
      return undefined;
    },
  });
