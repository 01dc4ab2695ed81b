import { MillraceError, toError } from "./error.ts";
import { readMessages, type StreamMessage } from "./event-stream.ts";

export interface ClientOptions {
  /** Where the service answers, for example `http://127.0.0.1:4000`. */
  readonly baseUrl: string;
  /** An organization or user key. It stays on your server: never give it to a browser. */
  readonly apiKey: string;
  /** Language of error texts: `en`, `tr`, `es`, `fr` or `de`. */
  readonly locale?: string | undefined;
  /** Another `fetch`, for tests or a proxy. */
  readonly fetch?: typeof fetch | undefined;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

export type QueryValue = string | number | boolean | Date | readonly string[] | undefined;

interface Call extends CallOptions {
  readonly query?: Readonly<Record<string, QueryValue>> | undefined;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** The one place that speaks HTTP. */
export class Transport {
  readonly #options: ClientOptions;
  readonly #baseUrl: string;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#baseUrl = options.baseUrl.replace(/\/+$/, "");
  }

  /** The whole body of a success, whose shape the caller states. */
  async call<Body>(method: string, path: string, call: Call = {}): Promise<Body> {
    const answer = await this.#send(method, path, { accept: "application/json" }, call);
    try {
      return (await answer.json()) as Body;
    } catch (cause) {
      throw new MillraceError(
        0,
        "unexpected_answer",
        `${this.#baseUrl} answered with something else than JSON`,
        {
          cause,
        },
      );
    }
  }

  /** A success that is no JSON. */
  async text(method: string, path: string, call: Call = {}): Promise<string> {
    return (await this.#send(method, path, { accept: "*/*" }, call)).text();
  }

  /** The messages of a stream; none where the service has nothing to stream (204). */
  async *stream(method: string, path: string, call: Call = {}): AsyncGenerator<StreamMessage> {
    const answer = await this.#send(method, path, { accept: "text/event-stream" }, call);
    if (!answer.body) return;
    try {
      yield* readMessages(answer.body);
    } catch (cause) {
      call.signal?.throwIfAborted();
      throw new MillraceError(0, "connection_failed", `The connection to ${this.#baseUrl} was lost`, {
        cause,
      });
    }
  }

  async #send(method: string, path: string, accept: { accept: string }, call: Call): Promise<Response> {
    const { apiKey, locale, fetch: send = fetch } = this.#options;
    const { query = {}, body, headers, signal } = call;
    let answer: Response;
    try {
      answer = await send(`${this.#baseUrl}${path}${queryText(query)}`, {
        method,
        headers: {
          ...accept,
          authorization: `Bearer ${apiKey}`,
          ...(locale !== undefined && { "x-locale": locale }),
          ...(body !== undefined && { "content-type": "application/json" }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(signal && { signal }),
      });
    } catch (cause) {
      signal?.throwIfAborted();
      throw new MillraceError(0, "connection_failed", `No connection to ${this.#baseUrl} could be made`, {
        cause,
      });
    }
    if (!answer.ok) throw await toError(answer);
    return answer;
  }
}

function queryText(query: Readonly<Record<string, QueryValue>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    search.set(name, value instanceof Date ? value.toISOString() : String(value));
  }
  return search.size === 0 ? "" : `?${search.toString()}`;
}
