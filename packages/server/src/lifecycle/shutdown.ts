interface Step {
  readonly name: string;
  /** `elapsedMs`: what the steps before it have taken, for whoever has time only up to a moment. */
  readonly stop: (elapsedMs: number) => Promise<void> | void;
}

/** What was started is stopped in the opposite order, each step once, whatever the others do. */
export class Shutdown {
  readonly #steps: Step[] = [];
  readonly #nowMs: () => number;
  #stopping: Promise<void> | undefined;

  constructor(nowMs = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  add(name: string, stop: Step["stop"]): void {
    this.#steps.unshift({ name, stop });
  }

  run(onError: (name: string, error: unknown) => void): Promise<void> {
    this.#stopping ??= this.#runSteps(onError);
    return this.#stopping;
  }

  async #runSteps(onError: (name: string, error: unknown) => void): Promise<void> {
    const startMs = this.#nowMs();
    for (const { name, stop } of this.#steps) {
      try {
        await stop(this.#nowMs() - startMs);
      } catch (error) {
        onError(name, error);
      }
    }
  }
}
