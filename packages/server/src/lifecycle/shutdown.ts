type Step = { readonly name: string; readonly stop: () => Promise<void> | void };

/** What was started is stopped in the opposite order, each step once, whatever the others do. */
export class Shutdown {
  readonly #steps: Step[] = [];
  #stopping: Promise<void> | undefined;

  add(name: string, stop: Step["stop"]): void {
    this.#steps.unshift({ name, stop });
  }

  run(onError: (name: string, error: unknown) => void): Promise<void> {
    this.#stopping ??= this.#runSteps(onError);
    return this.#stopping;
  }

  async #runSteps(onError: (name: string, error: unknown) => void): Promise<void> {
    for (const { name, stop } of this.#steps) {
      try {
        await stop();
      } catch (error) {
        onError(name, error);
      }
    }
  }
}
