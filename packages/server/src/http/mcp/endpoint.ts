import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { FastifyReply, FastifyRequest } from "fastify";
import { FairShare } from "../../domain/fair-share.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { QuestionAnswer } from "../../operations/tools/answer-question.ts";
import { findKnownRun } from "../../operations/tools/find-known-run.ts";
import { goneSignal } from "../gone-signal.ts";
import type { Answer } from "../route.ts";
import { type EventStreams, eventText } from "../sse.ts";
import type { McpCaller } from "./caller.ts";
import { newSession } from "./client-session.ts";
import { readEventId, writeEventId } from "./event-ids.ts";
import { FlowCalls } from "./flow-calls.ts";
import { callKey, makeServer, type McpContext } from "./mcp-server.ts";
import { refusalResult } from "./tool-result.ts";
import { sendWebResponse, toWebRequest } from "./web-exchange.ts";

interface Exchange {
  readonly caller: McpCaller;
  readonly raw: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Requests to /mcp in one process, shared between organizations. */
const MAX_AT_ONCE = 2_000;

interface Message {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: { readonly capabilities?: unknown; readonly name?: unknown } | undefined;
  readonly result?: unknown;
}

/** What stands behind /mcp. Clients since 2026-07-28 bring all that a request needs; older ones a session id that says it. */
export class McpEndpoint {
  readonly #context: McpContext;
  readonly #streams: EventStreams;
  readonly #places: FairShare;

  constructor(context: McpContext, streams: EventStreams, maxAtOnce = MAX_AT_ONCE) {
    this.#context = context;
    this.#streams = streams;
    this.#places = new FairShare(maxAtOnce);
  }

  post(exchange: Exchange): Promise<Answer | undefined> {
    return this.#inPlace(exchange, () => this.#post(exchange));
  }

  /** A stream of an older client broke off: it is told what it has missed, and then the answer. */
  resume(exchange: Exchange): Promise<Answer | undefined> {
    return this.#inPlace(exchange, () => this.#resume(exchange));
  }

  /** A call may last for minutes, so no organization can have all that this process serves at once. */
  async #inPlace<Result>({ caller }: Exchange, serve: () => Promise<Result>): Promise<Result> {
    const { user, organizations } = caller.principal;
    const [only, ...others] = organizations.keys();
    const holder = only !== undefined && others.length === 0 ? only : user.id;
    if (!this.#places.take(holder)) throw new Refusal("service_unavailable", { retryAfterSeconds: 1 });
    try {
      return await serve();
    } finally {
      this.#places.giveBack(holder);
    }
  }

  async #post({ caller, raw, reply }: Exchange): Promise<Answer | undefined> {
    const { body } = raw;
    const signal = goneSignal(reply);
    const request = toWebRequest(raw, signal);
    if (!(await isLegacyRequest(request, body))) {
      const modern = createMcpHandler(() => makeServer(this.#context, caller), {
        legacy: "reject",
        keepAliveMs: 0,
        // Nothing is told of changes: a list is read when it is needed.
        maxSubscriptions: 0,
      });
      return sendWebResponse(await modern.fetch(request, { parsedBody: body }), reply, this.#streams);
    }
    const messages: readonly Message[] = Array.isArray(body) ? body : [body as Message];
    const [answers, others] = separate(messages);
    for (const { id, result } of answers) await this.#answer(caller, id, result);
    if (answers.length > 0 && others.length === 0) return { status: 202 };
    return this.#legacy({ caller, raw, reply }, request, others, body);
  }

  async #resume({ caller, raw, reply }: Exchange): Promise<Answer | undefined> {
    const place = readEventId(raw.headers["last-event-id"] as string | undefined);
    if (!place) return rpcError(405, -32_000, "Method not allowed.", { allow: "POST" });
    const { requestId, tool, asked = [] } = place;
    const key = callKey(caller, requestId);
    const runId = place.runId ?? (key && (await findKnownRun(this.#context, caller.principal, tool, key)));
    if (runId === undefined) throw new Refusal("run_not_found");
    const stream = this.#streams.open(reply);
    const gone = new AbortController();
    stream.onClose(() => gone.abort());
    const sent = [...asked];
    let number = 0;
    const send = (message: object) => {
      const id = writeEventId({ requestId, tool, runId, asked: sent }, ++number);
      stream.send(`id: ${id}\n${eventText(message)}`);
    };
    const calls = new FlowCalls(this.#context);
    const ask = async (id: string, params: object) => {
      sent.push(id);
      send({ jsonrpc: "2.0", id, method: "elicitation/create", params });
    };
    const known = new Set(asked.flatMap((id) => this.#context.questions.read(id)?.nodeKey ?? []));
    const result = await calls
      .whole({ caller, signal: gone.signal }, runId, ask, known)
      .catch((error: unknown) => refusalResult(this.#context.toRefusal(error), caller.locale));
    send({ jsonrpc: "2.0", id: requestId, result });
    stream.end();
    return undefined;
  }

  async #legacy(
    { caller, raw, reply }: Exchange,
    request: Request,
    messages: readonly Message[],
    body: unknown,
  ): Promise<Answer | undefined> {
    const [only, ...more] = messages;
    const call = more.length === 0 ? placeOf(only) : undefined;
    const isCall = messages.some(({ method }) => method === "tools/call");
    let place = call;
    let number = 0;
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: undefined,
      keepAliveMs: 0,
      enableJsonResponse: !isCall || !takesStreams(raw),
      ...(call && {
        eventStore: {
          storeEvent: async () => writeEventId(place!, ++number),
          replayEventsAfter: () => Promise.reject(new Error("Streams are resumed by the endpoint.")),
        },
      }),
    });
    const asks = caller.session?.canAsk === true && takesStreams(raw);
    const session = caller.session && { ...caller.session, canAsk: asks };
    const server = makeServer(
      this.#context,
      { ...caller, session },
      {
        onStarted: (runId) => {
          place = place && { ...place, runId };
        },
        onAsked: (id) => {
          place = place && { ...place, asked: [...(place.asked ?? []), id] };
        },
      },
    );
    await server.connect(transport);
    const close = () => void server.close().catch(() => {});
    request.signal.addEventListener("abort", close, { once: true });
    const parsedBody = Array.isArray(body) ? messages : body;
    // Of a client that is gone the transport says nothing more.
    const handled = transport.handleRequest(request, { parsedBody });
    const response = await Promise.race([handled, untilGone(request.signal)]);
    const opening = messages.find(({ method }) => method === "initialize");
    if (opening && response.ok) void reply.header("mcp-session-id", newSession(opening.params?.capabilities));
    try {
      return await sendWebResponse(response, reply, this.#streams);
    } finally {
      close();
    }

    function placeOf({ id, method, params }: Message = {}) {
      if (method !== "tools/call" || (typeof id !== "string" && typeof id !== "number")) return undefined;
      const tool = params?.name;
      return typeof tool === "string" && /^[A-Za-z0-9_-]{1,64}$/.test(tool) && raw.headers["mcp-session-id"]
        ? { requestId: id, tool, runId: undefined as string | undefined, asked: [] as readonly string[] }
        : undefined;
    }
  }

  /** Of a question that was asked beside a call; whatever becomes of it, the client has done its part. */
  async #answer(caller: McpCaller, id: unknown, result: unknown): Promise<void> {
    const { questions, toRefusal } = this.#context;
    const question = questions.read(id);
    if (!question) return;
    const answer = toAnswer(result);
    try {
      questions.tell(question, await new FlowCalls(this.#context).answer(caller, question, answer));
    } catch (error) {
      // Somebody else's run, or a right that is missing: the run asks on.
      toRefusal(error);
    }
  }
}

/** An error in place of an answer leaves the question open. */
function toAnswer(result: unknown): QuestionAnswer {
  const { action, content } = (result ?? {}) as { action?: unknown; content?: unknown };
  if (action === "decline") return { action };
  if (action !== "accept") return { action: "cancel" };
  const isObject = typeof content === "object" && content !== null && !Array.isArray(content);
  return { action, ...(isObject && { content: content as Record<string, unknown> }) };
}

function separate(messages: readonly Message[]): [readonly Message[], readonly Message[]] {
  const isAnswer = ({ method, id }: Message) => method === undefined && id !== undefined;
  return [messages.filter(isAnswer), messages.filter((message) => !isAnswer(message))];
}

/** An answer that nobody reads. */
function untilGone(signal: AbortSignal): Promise<Response> {
  const nothing = () => new Response(null, { status: 400 });
  if (signal.aborted) return Promise.resolve(nothing());
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(nothing()), { once: true });
  });
}

function takesStreams({ headers: { accept } }: FastifyRequest): boolean {
  return accept === undefined || /text\/event-stream|\*\/\*/.test(accept);
}

function rpcError(
  status: number,
  code: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return { status, headers, body: { jsonrpc: "2.0", error: { code, message }, id: null } };
}
