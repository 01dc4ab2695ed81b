/**
 * What a run waits for no more. Nothing is sent before that is written: where this process is killed, whoever was started
 * and is given up must not go on behind it.
 */
export class GivenUp {
  /** Made when there is something: most runs give up nothing. */
  #writes: Set<Promise<unknown>> | undefined;
  /** Of runs that are given up before they exist: each is withdrawn as soon as it does. */
  #starts: Set<Promise<void>> | undefined;

  hold(write: Promise<unknown>): void {
    hold((this.#writes ??= new Set()), write);
  }

  holdUntilStarted(start: Promise<void>): void {
    hold((this.#starts ??= new Set()), start);
  }

  /** A Promise where not all is written. A start that `isInVain` waits for no other one, which may wait for it. */
  untilWritten(isInVain = () => false): Promise<void> | undefined {
    const isWritten = !this.#writes?.size && !this.#starts?.size;
    return isWritten ? undefined : this.#untilWritten(isInVain);
  }

  async #untilWritten(isInVain: () => boolean): Promise<void> {
    for (;;) {
      const awaited = this.#awaited(isInVain());
      if (awaited.length === 0) return;
      await Promise.all(awaited);
    }
  }

  #awaited(isInVain: boolean): readonly Promise<unknown>[] {
    const starts = isInVain ? [] : (this.#starts ?? []);
    return [...(this.#writes ?? []), ...starts];
  }
}

function hold<Held extends Promise<unknown>>(held: Set<Held>, one: Held): void {
  held.add(one);
  void one.finally(() => held.delete(one));
}
