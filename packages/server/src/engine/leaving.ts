/**
 * Whether this process wants to go. A run that does nothing but wait for a time says so here while it does: it can wait
 * elsewhere, or later, and is not worth staying for.
 */
export class Leaving {
  readonly #resting = new Set<() => void>();
  #isAsked = false;

  get isAsked(): boolean {
    return this.#isAsked;
  }

  rest(onAsked: () => void): void {
    this.#resting.add(onAsked);
  }

  stopResting(onAsked: () => void): void {
    this.#resting.delete(onAsked);
  }

  ask(): void {
    this.#isAsked = true;
    for (const onAsked of this.#resting) onAsked();
  }
}
