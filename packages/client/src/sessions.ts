import type { CallOptions, Transport } from "./transport.ts";
import type { ChatStreamEvent, MessageReply, MessageRequest, Session, SessionRequest } from "./wire.ts";

export interface ResumeStreamRequest {
  /** Needed with a user key. */
  readonly organizationId?: string | undefined;
  /** The `id` of the last event that arrived. */
  readonly lastEventId?: string | undefined;
}

/** A piece of a reply. `id` is where to resume from when the connection is lost. */
export type ChatEvent = ChatStreamEvent & { readonly id: string | undefined };

/** Chats with an agent. A reply goes on in the service even when nobody listens. */
export class Sessions {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Each call makes a new session. */
  async create(agentId: string, request: SessionRequest = {}, options: CallOptions = {}): Promise<Session> {
    const path = `/api/agents/${encodeURIComponent(agentId)}/sessions`;
    return (await this.#transport.call<{ data: Session }>("POST", path, { ...options, body: request })).data;
  }

  /** Sends a message and waits for the whole reply. */
  async send(
    agentId: string,
    sessionId: string,
    request: MessageRequest,
    options: CallOptions = {},
  ): Promise<MessageReply> {
    const path = `${pathOf(agentId, sessionId)}/messages`;
    return (await this.#transport.call<{ data: MessageReply }>("POST", path, { ...options, body: request }))
      .data;
  }

  /**
   * Sends a message and hands over the reply piece by piece, up to `done` or `error`.
   *
   * @example
   * for await (const event of millrace.sessions.stream(agentId, sessionId, { message: "Hello" }))
   *   if (event.type === "text-delta") process.stdout.write(event.delta);
   */
  stream(
    agentId: string,
    sessionId: string,
    request: MessageRequest,
    options: CallOptions = {},
  ): AsyncGenerator<ChatEvent> {
    return this.#read("POST", `${pathOf(agentId, sessionId)}/messages`, { ...options, body: request });
  }

  /**
   * What came after `lastEventId`; without it the reply that is under way, from its start. The iteration is empty
   * where nothing is newer.
   */
  resume(
    agentId: string,
    sessionId: string,
    { lastEventId, ...query }: ResumeStreamRequest = {},
    options: CallOptions = {},
  ): AsyncGenerator<ChatEvent> {
    const headers: Record<string, string> = lastEventId === undefined ? {} : { "last-event-id": lastEventId };
    return this.#read("GET", `${pathOf(agentId, sessionId)}/stream`, {
      ...options,
      query: { ...query },
      headers,
    });
  }

  async *#read(
    method: string,
    path: string,
    call: Parameters<Transport["stream"]>[2],
  ): AsyncGenerator<ChatEvent> {
    for await (const { id, data } of this.#transport.stream(method, path, call))
      yield { ...(JSON.parse(data) as ChatStreamEvent), id };
  }
}

function pathOf(agentId: string, sessionId: string): string {
  return `/api/agents/${encodeURIComponent(agentId)}/sessions/${encodeURIComponent(sessionId)}`;
}
