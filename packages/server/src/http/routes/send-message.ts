import { chatEvent, messageAnswer, sendMessageBody, sendMessageQuery } from "@millrace/contract/chat";
import { sendMessage, wholeReply } from "../../operations/agent-chat/send-message.ts";
import { asksForEventStream } from "../accept.ts";
import { closeWithClient, streamReply } from "../chat-stream.ts";
import { type ContextOf, defineRoute } from "../route.ts";
import type { EventStreams } from "../sse.ts";

const MAX_BODY_BYTES = 262_144;

export const sendMessageRoute = (context: ContextOf<typeof sendMessage>, streams: EventStreams) =>
  defineRoute({
    method: "POST",
    path: "/api/agents/{agentId}/sessions/{sessionId}/messages",
    name: "sendMessage",
    summary:
      "Send a message; the reply comes whole, or as Server-Sent Events where Accept names text/event-stream",
    tag: "Agents",
    access: "key",
    lasting: true,
    stream: "asked",
    events: chatEvent,
    query: sendMessageQuery,
    body: sendMessageBody,
    bodyLimitBytes: MAX_BODY_BYTES,
    answers: {
      200: {
        description:
          "The whole reply; as a stream: events of type text-delta, done and error with rising ids, with include=tools also tool-call and tool-result",
        schema: messageAnswer,
      },
    },
    errors: [
      "invalid_request_body",
      "invalid_agent_id",
      "access_denied",
      "organization_access_denied",
      "agent_not_found",
      "session_not_found",
      "agent_passive",
      "session_busy",
      "payload_too_large",
      "upstream_failed",
      "upstream_unavailable",
      "reply_interrupted",
      "upstream_timed_out",
    ],
    async handle({ principal, params, query, body, locale, raw, reply: answer }) {
      const reply = await sendMessage(context, principal, params.agentId!, params.sessionId!, body);
      if (asksForEventStream(raw.headers.accept)) {
        await streamReply(answer, reply, {
          streams,
          locale,
          holdHeadersMs: context.settings.holdHeadersMs,
          withTools: query.include === "tools",
        });
        return undefined;
      }
      closeWithClient(answer, reply);
      return { status: 200, body: { success: true, data: { text: await wholeReply(reply) } } };
    },
  });
