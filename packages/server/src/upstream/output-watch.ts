import { ReplyFailure, type ReplyLimits } from "./reply-generator.ts";

/** Ends a reply that takes too long: as a whole, until its first output, or between two outputs. */
export class OutputWatch {
  readonly #controller = new AbortController();
  readonly #betweenMs: number;
  readonly #total: NodeJS.Timeout;
  #silence: NodeJS.Timeout;
  #first = true;

  constructor({ totalMs, firstOutputMs, betweenOutputsMs }: ReplyLimits) {
    this.#betweenMs = betweenOutputsMs;
    this.#total = setTimeout(() => this.#end(), totalMs);
    this.#silence = setTimeout(() => this.#end(), firstOutputMs);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  noteOutput(): void {
    if (!this.#first) return void this.#silence.refresh();
    this.#first = false;
    this.resume();
  }

  /** While tools work, the model is not the one who is silent. */
  pause(): void {
    clearTimeout(this.#silence);
  }

  resume(): void {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.#end(), this.#betweenMs);
  }

  close(): void {
    clearTimeout(this.#total);
    clearTimeout(this.#silence);
  }

  #end(): void {
    this.#controller.abort(new ReplyFailure("upstream_timed_out"));
  }
}
