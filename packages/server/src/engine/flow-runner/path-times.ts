import type { CompiledNode, CompiledScope } from "../../domain/flow/compile.ts";

/**
 * What the nodes of one scope take for now: the moment of the last fact on their own path. A scope without facts keeps
 * nothing but the moment it was entered at.
 */
export class PathTimes {
  readonly #scope: CompiledScope;
  readonly #enteredMs: number;
  /** By position, 0 where no fact came after the scope was entered. */
  #arrivals: Float64Array | undefined;
  latestMs: number;

  constructor(scope: CompiledScope, enteredMs: number) {
    this.#scope = scope;
    this.#enteredMs = enteredMs;
    this.latestMs = enteredMs;
  }

  at({ position }: CompiledNode): number {
    return this.#arrivals?.[position] || this.#enteredMs;
  }

  /** A node was left at this moment, by this handle. */
  leave({ outgoing }: CompiledNode, atMs: number, handle: string): void {
    if (atMs <= this.#enteredMs) return;
    if (atMs > this.latestMs) this.latestMs = atMs;
    this.#arrivals ??= new Float64Array(this.#scope.nodes.length);
    for (const edge of outgoing) {
      if (edge.handle === handle && atMs > this.#arrivals[edge.target]!) this.#arrivals[edge.target] = atMs;
    }
  }
}
