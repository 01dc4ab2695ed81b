import type { ChatStreamEvent, ChatToolEvent } from "@millrace/contract/chat";
import { errorCatalogue } from "@millrace/contract/errors";
import type { Locale } from "@millrace/contract/locales";
import type { FastifyReply } from "fastify";
import type { ChatEvent } from "../domain/agent/chat.ts";
import { Refusal } from "../domain/refusal.ts";
import type { Reply } from "../operations/agent-chat/send-message.ts";
import { type EventStreams, eventText } from "./sse.ts";

export interface ChatStreamOptions {
  readonly streams: EventStreams;
  readonly locale: Locale;
  /** How long the headers wait for the first event, so that an early failure is a plain error. */
  readonly holdHeadersMs: number;
  /** Whether calls of tools are told too. */
  readonly withTools?: boolean;
}

/** Sends a reply as Server-Sent Events. A client that leaves stops nothing; one that is slow is waited for. */
export async function streamReply(
  answer: FastifyReply,
  reply: Reply,
  { streams, locale, holdHeadersMs, withTools = false }: ChatStreamOptions,
): Promise<void> {
  closeWithClient(answer, reply);
  const events = reply.events[Symbol.asyncIterator]();
  const first = events.next();
  if (holdHeadersMs > 0) refuseEarlyFailure(await within(holdHeadersMs, first));
  const stream = streams.open(answer);
  // A client that is cut off before the first word still holds a cursor.
  stream.send(`id: ${reply.cursor}\nretry: 2000\n\n`);
  try {
    for (let next = await first; !next.done; next = await events.next()) {
      if (!withTools && isOfTool(next.value)) continue;
      await stream.room();
      stream.send(`id: ${next.value.seq}\n${eventText(present(next.value, locale))}`);
    }
  } finally {
    stream.end();
  }
}

/** Stops listening when the client leaves, also where it has left already. */
export function closeWithClient({ raw }: FastifyReply, reply: Reply): void {
  if (raw.closed) reply.close();
  else raw.once("close", reply.close);
}

/** What fails before the first word is a plain error. */
export function refuseEarlyFailure(early: IteratorResult<ChatEvent> | undefined): void {
  if (early?.done) throw new Refusal("service_unavailable", { retryAfterSeconds: 1 });
  if (early?.value.type === "error") throw new Refusal(early.value.code);
}

/** `undefined` where the work takes longer. */
export function within<T>(limitMs: number, work: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(undefined), limitMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function isOfTool({ type }: ChatEvent): boolean {
  return type === "tool-call" || type === "tool-result";
}

function present(event: ChatEvent, locale: Locale): ChatStreamEvent | ChatToolEvent {
  switch (event.type) {
    case "text-delta":
      return { type: "text-delta", delta: event.text };
    case "done":
      return { type: "done", text: event.text };
    case "error":
      return { type: "error", error: errorCatalogue[event.code].error[locale] };
    case "tool-call":
    case "tool-result": {
      const { seq: _seq, turn: _turn, ...told } = event;
      return told;
    }
  }
}
