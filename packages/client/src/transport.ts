import { ConnectionError, isMillraceError, TimeoutError, toError } from "./error.ts";
import { readMessages, type StreamMessage } from "./event-stream.ts";
import { MAX_RETRIES, mayRepeat, pause, pauseMs, type Repeat } from "./retry.ts";

export interface ClientOptions {
  /** Where the service answers, for example `http://127.0.0.1:4000`. */
  readonly baseUrl: string;
  /** An organization or user key. It stays on your server: never give it to a browser. */
  readonly apiKey: string;
  /** Language of error texts: `en`, `tr`, `es`, `fr` or `de`. */
  readonly locale?: string | undefined;
  /** Another `fetch`, for tests or a proxy. */
  readonly fetch?: typeof fetch | undefined;
  /** Of one attempt, up to the end of the answer, of a stream up to its beginning; 30,000 unless stated, 0 for none. */
  readonly timeoutMs?: number | undefined;
  /** Attempts after the first, 2 unless stated; streams are opened again up to 8 times in a row. */
  readonly maxRetries?: number | undefined;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly maxRetries?: number | undefined;
}

type QueryValue = string | number | boolean | Date | readonly string[] | undefined;
export type Query = Readonly<Record<string, QueryValue>>;

export interface Call extends CallOptions {
  readonly query?: Query | undefined;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Without it: always for GET, PUT and DELETE, otherwise unless it may have been sent. */
  readonly repeat?: Repeat | undefined;
}

const TIMEOUT_MS = 30_000;
/** The service sends something at least every 15 s. */
const MAX_SILENCE_MS = 45_000;
const MAX_REOPENINGS = 8;

/** The one place that speaks HTTP. */
export class Transport {
  readonly #options: ClientOptions;
  readonly #baseUrl: string;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#baseUrl = options.baseUrl.replace(/\/+$/, "");
  }

  /** `data` of a success, whose shape the caller states. */
  async data<Data>(method: string, path: string, call: Call = {}): Promise<Data> {
    return (await this.call<{ data: Data }>(method, path, call)).data;
  }

  /** The whole body of a success. */
  call<Body>(method: string, path: string, call: Call = {}): Promise<Body> {
    return this.#repeated(method, call, async () => {
      const text = await this.#whole(method, path, "application/json", call);
      try {
        return JSON.parse(text) as Body;
      } catch (cause) {
        const message = `${this.#baseUrl} answered with something else than JSON`;
        throw new ConnectionError("unexpected_answer", message, cause);
      }
    });
  }

  /** A success that is no JSON. */
  text(method: string, path: string, call: Call = {}): Promise<string> {
    return this.#repeated(method, call, () => this.#whole(method, path, "*/*", call));
  }

  /** One connection, without a repetition: its messages, none where the service has nothing to stream (204). */
  async *stream(method: string, path: string, call: Call = {}): AsyncGenerator<StreamMessage> {
    const watch = this.#watch(call);
    try {
      const { body } = await this.#send(method, path, "text/event-stream", call, watch.signal);
      watch.restart(MAX_SILENCE_MS);
      if (body) yield* readMessages(body, () => watch.restart(MAX_SILENCE_MS));
    } catch (cause) {
      throw this.#fault(cause, call.signal, watch);
    } finally {
      watch.stop();
    }
  }

  /** How often a stream is opened again without a word of it. */
  maxReopenings({ maxRetries }: CallOptions): number {
    return maxRetries ?? this.#options.maxRetries ?? MAX_REOPENINGS;
  }

  /** How long an attempt may take; Infinity for as long as it likes. */
  timeoutMs({ timeoutMs }: CallOptions): number {
    return (timeoutMs ?? this.#options.timeoutMs ?? TIMEOUT_MS) || Infinity;
  }

  async #repeated<T>(method: string, call: Call, attempt: () => Promise<T>): Promise<T> {
    const { signal, repeat = /^(GET|PUT|DELETE)$/.test(method) ? "always" : "unless-sent" } = call;
    const retries = call.maxRetries ?? this.#options.maxRetries ?? MAX_RETRIES;
    for (let retry = 0; ; retry += 1) {
      try {
        return await attempt();
      } catch (error) {
        if (retry >= retries || !isMillraceError(error) || !mayRepeat(error, repeat)) throw error;
        await pause(pauseMs(retry, error), signal);
      }
    }
  }

  async #whole(method: string, path: string, accept: string, call: Call): Promise<string> {
    const watch = this.#watch(call);
    try {
      return await (await this.#send(method, path, accept, call, watch.signal)).text();
    } catch (cause) {
      throw this.#fault(cause, call.signal, watch);
    } finally {
      watch.stop();
    }
  }

  async #send(
    method: string,
    path: string,
    accept: string,
    { query = {}, body, headers }: Call,
    signal: AbortSignal,
  ): Promise<Response> {
    const { apiKey, locale, fetch: send = fetch } = this.#options;
    const answer = await send(`${this.#baseUrl}${path}${queryText(query)}`, {
      method,
      headers: {
        accept,
        authorization: `Bearer ${apiKey}`,
        ...(locale !== undefined && { "x-locale": locale }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal,
    });
    if (!answer.ok) throw await toError(answer);
    return answer;
  }

  /** An abort is the caller's own; what the service answered stays what it is. */
  #fault(cause: unknown, signal: AbortSignal | undefined, { timedOut }: Watch): unknown {
    if (signal?.aborted) return signal.reason;
    if (timedOut()) return new TimeoutError("timed_out", `${this.#baseUrl} did not answer in time`, cause);
    if (isMillraceError(cause)) return cause;
    return new ConnectionError(
      "connection_failed",
      `No connection to ${this.#baseUrl}, or it was lost`,
      cause,
    );
  }

  #watch(call: CallOptions): Watch {
    return watchOver(call.signal, this.timeoutMs(call));
  }
}

interface Watch {
  readonly signal: AbortSignal;
  restart(ms: number): void;
  timedOut(): boolean;
  stop(): void;
}

/** The caller's signal and a time limit as one signal. */
function watchOver(outer: AbortSignal | undefined, limitMs: number): Watch {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let late = false;
  const abort = () => controller.abort(outer?.reason);
  const restart = (ms: number) => {
    clearTimeout(timer);
    if (ms === Infinity) return;
    timer = setTimeout(() => {
      late = true;
      controller.abort();
    }, ms);
  };
  if (outer?.aborted) abort();
  outer?.addEventListener("abort", abort);
  restart(limitMs);
  return {
    signal: controller.signal,
    restart,
    timedOut: () => late,
    stop: () => {
      clearTimeout(timer);
      outer?.removeEventListener("abort", abort);
    },
  };
}

function queryText(query: Query): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    search.set(name, value instanceof Date ? value.toISOString() : String(value));
  }
  return search.size === 0 ? "" : `?${search.toString()}`;
}
