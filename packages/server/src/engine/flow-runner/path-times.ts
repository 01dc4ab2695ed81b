import type { CompiledNode, CompiledScope } from "../../domain/flow/compile.ts";

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

  /** A node was left at this moment, by this handle. */
  leave({ outgoing }: CompiledNode, atMs: number, handle: string): void {
    if (atMs > this.latestMs) this.latestMs = atMs;
    for (const edge of outgoing) {
      if (edge.handle === handle && atMs > this.#arrivals[edge.target]!) this.#arrivals[edge.target] = atMs;
    }
  }
}
