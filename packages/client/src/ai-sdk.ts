import { readMessages } from "./event-stream.ts";

/** A message of `useChat`, as far as it is read here. */
interface UiMessage {
  readonly role: string;
  readonly parts: readonly { readonly type: string; readonly text?: string }[];
}

/** The pieces of a reply that the AI SDK builds its messages from. */
type UiChunk =
  | { type: "start" }
  | { type: "start-step" }
  | { type: "text-start"; id: string }
  | { type: "text-delta"; id: string; delta: string }
  | { type: "text-end"; id: string }
  | {
      type: "tool-input-available";
      toolCallId: string;
      toolName: string;
      input: unknown;
      dynamic: true;
      providerExecuted: true;
    }
  | {
      type: "tool-output-available";
      toolCallId: string;
      output: unknown;
      dynamic: true;
      providerExecuted: true;
    }
  | {
      type: "tool-output-error";
      toolCallId: string;
      errorText: string;
      dynamic: true;
      providerExecuted: true;
    }
  | { type: "finish-step" }
  | { type: "finish" }
  | { type: "error"; errorText: string };

export interface MillraceChatTransportOptions {
  /** The agent to chat with. */
  readonly agentId: string;
  /** Where the service, or what stands before it, answers; this page's own origin where it is left out. */
  readonly baseUrl?: string | undefined;
  /**
   * Sent with every request. A key belongs on a server: in a browser leave it out, and let your server add it to what it
   * passes on.
   */
  readonly apiKey?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | (() => Readonly<Record<string, string>>) | undefined;
  /** With a user-scoped key. */
  readonly organizationId?: string | undefined;
  /** Your id for the end user. */
  readonly endUserId?: string | undefined;
  /** Sessions that are known from before, by the id of the chat: `useChat` then goes on where it was left. */
  readonly sessions?: Readonly<Record<string, string>> | undefined;
  /** Told once for each new chat: keep the id to go on with the session later. */
  readonly onSession?: ((chatId: string, sessionId: string) => void) | undefined;
  readonly fetch?: typeof fetch | undefined;
}

interface SendOptions {
  readonly chatId: string;
  readonly messages: readonly UiMessage[];
  readonly abortSignal?: AbortSignal | undefined;
  readonly trigger?: string | undefined;
}

interface ChatEvent {
  readonly type: string;
  readonly delta?: string;
  readonly error?: string;
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly input?: unknown;
  readonly output?: string;
  readonly isError?: boolean;
}

/**
 * A transport of the AI SDK's `useChat` for agents of Millrace: `useChat({ transport: new MillraceChatTransport({ agentId }) })`.
 * Each chat is one session; only the new message is sent, because the service keeps what was said before.
 */
export class MillraceChatTransport {
  /** Whoever comes back is told the running reply from its beginning. */
  readonly resumeStreamIsReplay = true;
  readonly #options: MillraceChatTransportOptions;
  readonly #sessions: Map<string, Promise<string>>;

  constructor(options: MillraceChatTransportOptions) {
    this.#options = options;
    const known = Object.entries(options.sessions ?? {});
    this.#sessions = new Map(known.map(([chatId, sessionId]) => [chatId, Promise.resolve(sessionId)]));
  }

  async sendMessages({
    chatId,
    messages,
    abortSignal,
    trigger,
  }: SendOptions): Promise<ReadableStream<never>> {
    const message = textOf(messages.findLast(({ role }) => role === "user"));
    if (trigger === "regenerate-message")
      throw new Error("A reply of an agent cannot be made again; send a new message.");
    const sessionId = await this.#session(chatId);
    const answer = await this.#send("POST", `/${encodeURIComponent(sessionId)}/messages?include=tools`, {
      body: { ...this.#organization(), message },
      signal: abortSignal,
    });
    return chunksOf(answer);
  }

  /** Null where no reply is being written. */
  async reconnectToStream({ chatId }: { readonly chatId: string }): Promise<ReadableStream<never> | null> {
    const sessionId = await this.#sessions.get(chatId);
    if (sessionId === undefined) return null;
    const query = new URLSearchParams({ include: "tools", ...this.#organization() });
    const answer = await this.#send(
      "GET",
      `/${encodeURIComponent(sessionId)}/stream?${query.toString()}`,
      {},
    );
    return answer.status === 204 ? null : chunksOf(answer);
  }

  #session(chatId: string): Promise<string> {
    const known = this.#sessions.get(chatId);
    if (known) return known;
    const opening = this.#open(chatId);
    this.#sessions.set(chatId, opening);
    // The next message tries again.
    opening.catch(() => this.#sessions.delete(chatId));
    return opening;
  }

  async #open(chatId: string): Promise<string> {
    const { endUserId, onSession } = this.#options;
    const body = { ...this.#organization(), ...(endUserId !== undefined && { endUserId }) };
    const answer = await this.#send("POST", "", { body, accept: "application/json" });
    const { data } = (await answer.json()) as { data: { sessionId: string } };
    onSession?.(chatId, data.sessionId);
    return data.sessionId;
  }

  #organization(): { organizationId?: string } {
    const { organizationId } = this.#options;
    return organizationId === undefined ? {} : { organizationId };
  }

  async #send(
    method: string,
    path: string,
    {
      body,
      signal,
      accept = "text/event-stream",
    }: { body?: object; signal?: AbortSignal | undefined; accept?: string },
  ): Promise<Response> {
    const { agentId, baseUrl = "", apiKey, headers, fetch: send = fetch } = this.#options;
    const own = typeof headers === "function" ? headers() : headers;
    const answer = await send(
      `${baseUrl.replace(/\/+$/, "")}/api/agents/${encodeURIComponent(agentId)}/sessions${path}`,
      {
        method,
        headers: {
          accept,
          ...(body && { "content-type": "application/json" }),
          ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
          ...own,
        },
        ...(body && { body: JSON.stringify(body) }),
        ...(signal && { signal }),
      },
    );
    if (!answer.ok) throw new Error(await errorText(answer));
    return answer;
  }
}

function textOf(message: UiMessage | undefined): string {
  return (message?.parts ?? []).map(({ type, text }) => (type === "text" ? (text ?? "") : "")).join("");
}

async function errorText(answer: Response): Promise<string> {
  const said = (await answer.json().catch(() => ({}))) as { message?: string; error?: string };
  return said.message ?? said.error ?? `The service answered ${answer.status}.`;
}

/** Typed as any stream of chunks: `useChat` knows its own type of them, and this package depends on nothing. */
function chunksOf({ body }: Response): ReadableStream<never> {
  const chunks = readChunks(body!);
  const stream = new ReadableStream<UiChunk>({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await chunks.return(undefined);
    },
  });
  return stream as unknown as ReadableStream<never>;
}

async function* readChunks(body: ReadableStream<Uint8Array>): AsyncGenerator<UiChunk, undefined> {
  yield { type: "start" };
  yield { type: "start-step" };
  let parts = 0;
  let open: string | undefined;
  const common = { dynamic: true, providerExecuted: true } as const;
  for await (const { data } of readMessages(body)) {
    if (data === undefined) continue;
    const event = JSON.parse(data) as ChatEvent;
    const isText = event.type === "text-delta";
    if (open !== undefined && !isText) {
      yield { type: "text-end", id: open };
      open = undefined;
    }
    if (isText) {
      if (open === undefined) yield { type: "text-start", id: (open = `text-${(parts += 1)}`) };
      yield { type: "text-delta", id: open, delta: event.delta ?? "" };
    } else if (event.type === "tool-call")
      yield {
        type: "tool-input-available",
        toolCallId: event.toolCallId!,
        toolName: event.toolName!,
        input: event.input,
        ...common,
      };
    else if (event.type === "tool-result")
      yield event.isError
        ? {
            type: "tool-output-error",
            toolCallId: event.toolCallId!,
            errorText: event.output ?? "",
            ...common,
          }
        : { type: "tool-output-available", toolCallId: event.toolCallId!, output: event.output, ...common };
    else if (event.type === "error") {
      yield { type: "error", errorText: event.error ?? "The reply failed." };
      return undefined;
    } else if (event.type === "done") break;
  }
  if (open !== undefined) yield { type: "text-end", id: open };
  yield { type: "finish-step" };
  yield { type: "finish" };
  return undefined;
}
