import { completionAnswer, type CompletionBody, completionBody } from "@millrace/contract/completions";
import type { Locale } from "@millrace/contract/locales";
import type { FastifyReply, FastifyRequest } from "fastify";
import { toGivenChat } from "../../../domain/agent/chat-messages.ts";
import { Refusal } from "../../../domain/refusal.ts";
import { type Completion, completeChat } from "../../../operations/agent-chat/complete-chat.ts";
import { readUsage } from "../../../operations/agent-chat/read-usage.ts";
import { wholeReply } from "../../../operations/agent-chat/send-message.ts";
import { closeWithClient, refuseEarlyFailure, within } from "../../chat-stream.ts";
import { headerText } from "../../errors.ts";
import {
  type CompletionHead,
  presentChunk,
  presentCompletion,
  presentOpenAiError,
  presentUsageChunk,
  unixSeconds,
} from "../../presenters/completion.ts";
import { type ContextOf, defineRoute } from "../../route.ts";
import { type EventStreams, eventText } from "../../sse.ts";

type Context = ContextOf<typeof completeChat> & { readonly now: () => Date };

const MAX_BODY_BYTES = 1_048_576;
const MAX_MESSAGE_LENGTH = 32_000;
const SESSION_HEADER = "x-session-id";

export const createCompletionRoute = (context: Context, streams: EventStreams) =>
  defineRoute({
    method: "POST",
    path: "/v1/chat/completions",
    name: "createChatCompletion",
    summary:
      "Chat with an agent as OpenAI's clients do: its id is the model, its tools run inside the service",
    tag: "OpenAI",
    access: "key",
    lasting: true,
    stream: "asked",
    presentError: presentOpenAiError,
    headers: {
      "X-Session-Id":
        "goes on with this session, as an answer before has named it: of the messages only those after the last reply are read",
    },
    body: completionBody,
    bodyLimitBytes: MAX_BODY_BYTES,
    answers: {
      200: {
        description:
          "The whole reply; with stream: true chunks of it, and [DONE]. The header X-Session-Id names its session",
        schema: completionAnswer,
      },
    },
    errors: [
      "agent_not_found",
      "agent_passive",
      "access_denied",
      "session_not_found",
      "session_busy",
      "upstream_failed",
      "upstream_unavailable",
      "upstream_timed_out",
      "reply_interrupted",
    ],
    async handle({ principal, body, locale, raw, reply: answer }) {
      const completion = await completeChat(context, principal, {
        agentId: body.model,
        chat: chatOf(body),
        endUserId: body.user ?? undefined,
        sessionId: sessionOf(raw),
      });
      const { session, reply } = completion;
      void answer.header(SESSION_HEADER, session.sessionId);
      const id = `chatcmpl-${session.sessionId.slice("session_".length)}-${reply.cursor}`;
      const head = { id, created: unixSeconds(context.now()), model: body.model };
      if (body.stream) {
        const includeUsage = body.stream_options?.include_usage === true;
        await streamCompletion(context, answer, completion, { head, locale, streams, includeUsage });
        return undefined;
      }
      closeWithClient(answer, reply);
      const text = await wholeReply(reply);
      return { status: 200, body: presentCompletion(head, text, await readUsage(context, session)) };
    },
  });

interface StreamOptions {
  readonly head: CompletionHead;
  readonly locale: Locale;
  readonly streams: EventStreams;
  readonly includeUsage: boolean;
}

async function streamCompletion(
  context: Context,
  answer: FastifyReply,
  { session, reply }: Completion,
  { head, locale, streams, includeUsage }: StreamOptions,
): Promise<void> {
  closeWithClient(answer, reply);
  const events = reply.events[Symbol.asyncIterator]();
  const first = events.next();
  const { holdHeadersMs } = context.settings;
  if (holdHeadersMs > 0) refuseEarlyFailure(await within(holdHeadersMs, first));
  const stream = streams.open(answer);
  stream.send(eventText(presentChunk(head, { role: "assistant", content: "" })));
  let last = new Refusal("service_unavailable") as Refusal | undefined;
  try {
    for (let next = await first; !next.done; next = await events.next()) {
      const event = next.value;
      await stream.room();
      if (event.type === "text-delta") stream.send(eventText(presentChunk(head, { content: event.text })));
      else if (event.type === "error") last = new Refusal(event.code);
      else if (event.type === "done") last = undefined;
    }
    if (last) return stream.end(eventText(presentOpenAiError(last, locale)));
    stream.send(eventText(presentChunk(head, {}, "stop")));
    if (includeUsage) stream.send(eventText(presentUsageChunk(head, await readUsage(context, session))));
    stream.end("data: [DONE]\n\n");
  } finally {
    stream.end();
  }
}

function chatOf({ messages }: CompletionBody) {
  const chat = toGivenChat(messages);
  if (!chat) throw invalid("must end with a message of the user that is not empty");
  if (chat.message.length > MAX_MESSAGE_LENGTH && Array.from(chat.message).length > MAX_MESSAGE_LENGTH)
    throw invalid(`must have at most ${MAX_MESSAGE_LENGTH} characters after the last reply`);
  return chat;
}

function invalid(message: string): Refusal {
  return new Refusal("invalid_request_body", { issues: [{ path: ["messages"], message }] });
}

function sessionOf(request: FastifyRequest): string | undefined {
  const id = headerText(request, SESSION_HEADER);
  if (id !== undefined && !/^session_[A-Za-z0-9]{1,60}$/.test(id)) throw new Refusal("session_not_found");
  return id;
}
