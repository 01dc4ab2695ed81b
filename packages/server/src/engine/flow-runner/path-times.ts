import type { CompiledNode, CompiledScope } from "../../domain/flow/compile.ts";

interface Leaving {
  readonly atMs: number;
  readonly handle: string;
  readonly winners: ReadonlyMap<number, number> | undefined;
}

/** What the nodes of a scope with facts in it take for now: the moment of the last fact on their own path. */
export class PathTimes {
  readonly #enteredMs: number;
  /** By position, 0 where no fact came after the scope was entered. */
  readonly #arrivals: Float64Array;
  latestMs: number;

  constructor(scope: CompiledScope, enteredMs: number) {
    this.#arrivals = new Float64Array(scope.nodes.length);
    this.#enteredMs = enteredMs;
    this.latestMs = enteredMs;
  }

  at({ position }: CompiledNode): number {
    return this.#arrivals[position] || this.#enteredMs;
  }

  /** A node was left at this moment, by this handle. A node that joins any counts only the way that led to it. */
  leave({ position, outgoing }: CompiledNode, { atMs, handle, winners }: Leaving): void {
    if (atMs > this.latestMs) this.latestMs = atMs;
    for (const { handle: taken, target } of outgoing) {
      if (taken !== handle || atMs <= this.#arrivals[target]!) continue;
      if ((winners?.get(target) ?? position) === position) this.#arrivals[target] = atMs;
    }
  }
}
