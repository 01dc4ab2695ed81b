import { type Span, toOtlpJson } from "./span.ts";

export interface SpanExporterOptions {
  /** Of the collector: `/v1/traces` is added. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly resource: Readonly<Record<string, string>>;
  readonly version: string;
  readonly onDropped: (count: number) => void;
  readonly timeoutMs?: number;
  readonly maxWaiting?: number;
}

const TIMEOUT_MS = 5_000;
const MAX_WAITING = 8_192;
const MAX_IN_A_BATCH = 512;
const MAX_PAUSE_MS = 60_000;

/**
 * Spans on their way to a collector. What it does not take in time is dropped and counted: traces never hold a run up, and
 * never fill the memory.
 */
export class SpanExporter {
  readonly #options: SpanExporterOptions;
  readonly #url: string;
  #waiting: Span[] = [];
  #failures = 0;
  #retryAtMs = 0;

  constructor(options: SpanExporterOptions) {
    this.#options = options;
    this.#url = `${options.endpoint}/v1/traces`;
  }

  add(span: Span): void {
    if (this.#waiting.length < (this.#options.maxWaiting ?? MAX_WAITING)) this.#waiting.push(span);
    else this.#options.onDropped(1);
  }

  /**
   * Sends all that waits now; a duty calls it every second. @throws where the collector does not take it: it is tried again,
   * less and less often.
   */
  async flush(): Promise<void> {
    if (performance.now() < this.#retryAtMs) return;
    try {
      await this.#sendAll();
      this.#failures = 0;
    } catch (error) {
      this.#failures += 1;
      this.#retryAtMs = performance.now() + Math.min(2 ** this.#failures * 1_000, MAX_PAUSE_MS);
      throw error;
    }
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, MAX_IN_A_BATCH);
      const isTaken = await this.#send(batch);
      this.#waiting.splice(0, batch.length);
      if (!isTaken) this.#options.onDropped(batch.length);
    }
  }

  /** False where sending it again would not help. */
  async #send(spans: readonly Span[]): Promise<boolean> {
    const { headers, resource, version, timeoutMs = TIMEOUT_MS } = this.#options;
    const answer = await fetch(this.#url, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: toOtlpJson(spans, resource, version),
      signal: AbortSignal.timeout(timeoutMs),
      redirect: "error",
    });
    await answer.body?.cancel();
    if (answer.ok) return true;
    // As OTLP says which answers are worth another try.
    if ([429, 502, 503, 504].includes(answer.status))
      throw new Error(`The collector of traces answered ${answer.status}`);
    return false;
  }
}
