import type { StreamMessage } from "./event-stream.ts";
import { follow } from "./follow.ts";
import { pathOf } from "./paging.ts";
import type { Call, CallOptions, Transport } from "./transport.ts";
import type {
  ChatStreamEvent,
  ChatToolEvent,
  MessageReply,
  MessageRequest,
  Session,
  SessionRequest,
} from "./wire.ts";

export interface ResumeStreamRequest {
  /** Needed with a user key. */
  readonly organizationId?: string | undefined;
  /** The `id` of the last event that arrived. */
  readonly lastEventId?: string | undefined;
}

/** A piece of a reply, or a call of a tool. `id` is where to resume from in another process. */
export type ChatEvent = (ChatStreamEvent | ChatToolEvent) & { readonly id: string | undefined };

export interface ChatStreamOptions extends CallOptions {
  /** Also the calls of tools, and what they answered. */
  readonly tools?: boolean | undefined;
}

/** A whole reply takes as long as its model does. */
const REPLY_TIMEOUT_MS = 600_000;

/** Chats with an agent. A reply goes on in the service even when nobody listens. */
export class Sessions {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Each call makes a new session. */
  create(agentId: string, request: SessionRequest = {}, options: CallOptions = {}): Promise<Session> {
    // One that nobody has heard of does no harm.
    const call: Call = { ...options, body: request, repeat: "always" };
    return this.#transport.data("POST", pathOf("/api/agents", agentId, "sessions"), call);
  }

  /** Sends a message and waits for the whole reply, up to ten minutes unless `timeoutMs` says otherwise. */
  send(
    agentId: string,
    sessionId: string,
    request: MessageRequest,
    options: CallOptions = {},
  ): Promise<MessageReply> {
    const call = { timeoutMs: REPLY_TIMEOUT_MS, ...options, body: request };
    return this.#transport.data("POST", sessionPath(agentId, sessionId, "messages"), call);
  }

  /**
   * Sends a message and returns the reply piece by piece, up to `done` or `error`. A connection that is lost is made again
   * behind the last piece; the message itself is never sent twice.
   *
   * @example
   * for await (const event of millrace.sessions.stream(agentId, sessionId, { message: "Hello" }))
   *   if (event.type === "text-delta") process.stdout.write(event.delta);
   */
  stream(
    agentId: string,
    sessionId: string,
    request: MessageRequest,
    options: ChatStreamOptions = {},
  ): AsyncGenerator<ChatEvent> {
    const { organizationId } = request;
    return this.#follow(agentId, sessionId, { organizationId }, options, request);
  }

  /**
   * What came after `lastEventId`; without it the reply that is under way, from its start. The iteration is empty
   * where nothing is newer.
   */
  resume(
    agentId: string,
    sessionId: string,
    request: ResumeStreamRequest = {},
    options: ChatStreamOptions = {},
  ): AsyncGenerator<ChatEvent> {
    return this.#follow(agentId, sessionId, request, options);
  }

  #follow(
    agentId: string,
    sessionId: string,
    { lastEventId, organizationId }: ResumeStreamRequest,
    { tools, ...options }: ChatStreamOptions,
    message?: MessageRequest,
  ): AsyncGenerator<ChatEvent> {
    const transport = this.#transport;
    const include = tools ? "tools" : undefined;
    let highest = Number(lastEventId ?? Number.NaN);
    const take = ({ id, isNumbered, data }: StreamMessage) => {
      const number = Number(id);
      if (isNumbered && number <= highest) return undefined;
      if (isNumbered) highest = number;
      if (data === undefined) return undefined;
      const event: ChatEvent = { ...(JSON.parse(data) as ChatStreamEvent | ChatToolEvent), id };
      return { event, isLast: event.type === "done" || event.type === "error" };
    };
    const open = (last: string | undefined) => {
      if (message && last === undefined)
        return transport.stream("POST", sessionPath(agentId, sessionId, "messages"), {
          ...options,
          query: { include },
          body: message,
        });
      const headers: Record<string, string> = last === undefined ? {} : { "last-event-id": last };
      const call = { ...options, query: { organizationId, include }, headers };
      return transport.stream("GET", sessionPath(agentId, sessionId, "stream"), call);
    };
    return follow<ChatEvent>({
      open,
      take,
      lastEventId,
      repeat: message ? "unless-sent" : "always",
      mayBeEmpty: !message,
      maxReopenings: transport.maxReopenings(options),
      signal: options.signal,
    });
  }
}

function sessionPath(agentId: string, sessionId: string, verb: string): string {
  return pathOf("/api/agents", agentId, "sessions", sessionId, verb);
}
