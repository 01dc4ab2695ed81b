import { ExpressionError } from "../expression-error.ts";
import type { Meter } from "../meter.ts";

export const maxTextLength = 5_000_000;
/** An array that is kept until the evaluation ends, and its mark. */
const stepsOfMark = 16;

/**
 * One evaluation. JSONata marks the arrays it makes itself ("sequences") with properties; here the marks live beside the
 * arrays and end with the evaluation, so that they never leave in a result.
 */
export class Evaluation {
  readonly root: unknown;
  readonly nowMs: number;
  /** JSONata wraps a list at the root, so that it is one context and not many. */
  readonly outerWrapper: unknown[] | undefined;
  #sequences: Set<unknown> | undefined;
  #keptSingletons: Set<unknown> | undefined;
  #constructed: Set<unknown> | undefined;
  readonly #meter: Meter;

  constructor(root: unknown, nowMs: number, meter: Meter) {
    this.root = root;
    this.nowMs = nowMs;
    this.#meter = meter;
    this.outerWrapper = Array.isArray(root) ? [root] : undefined;
  }

  get context(): unknown {
    return this.outerWrapper ?? this.root;
  }

  /** @throws NotBounded */
  spend(steps: number): void {
    this.#meter.spend(steps);
  }

  /** For what goes through a text once. */
  spendText(length: number): void {
    this.#meter.spend((length >> 3) + 1);
  }

  /** For the comparison of two texts, which ends where they differ; texts of different lengths are never equal. */
  spendEqual(left: unknown, right: unknown): void {
    if (typeof left === "string" && typeof right === "string" && left.length === right.length) {
      this.#meter.spend(left.length >> 5);
    }
  }

  /** For the search of one text in another: built-in searches take the product of both lengths in the worst case. */
  spendSearch(text: string, mark: string): void {
    this.#meter.spend((text.length * mark.length) / 16 + (text.length >> 5));
  }

  sequence(items: unknown[]): unknown[] {
    this.#sequences = this.#marked(this.#sequences, items);
    return items;
  }

  isSequence(value: unknown): boolean {
    return this.#sequences?.has(value) ?? false;
  }

  keepSingleton(items: unknown[]): void {
    this.#keptSingletons = this.#marked(this.#keptSingletons, items);
  }

  markConstructed(items: unknown[]): void {
    this.#constructed = this.#marked(this.#constructed, items);
  }

  isConstructed(value: unknown): boolean {
    return this.#constructed?.has(value) ?? false;
  }

  #marked(marks: Set<unknown> | undefined, items: unknown[]): Set<unknown> {
    this.#meter.spend(stepsOfMark);
    return (marks ?? new Set()).add(items);
  }

  /** An empty sequence is nothing, a sequence of one is its item. */
  unwrap(value: unknown, keepArray: boolean): unknown {
    if (!Array.isArray(value) || !this.isSequence(value)) return value;
    if (keepArray) this.keepSingleton(value);
    if (value.length === 0) return undefined;
    if (value.length === 1 && !this.#keptSingletons?.has(value)) return value[0];
    return value;
  }

  text(value: string): string {
    if (value.length > maxTextLength) throw new ExpressionError("it makes a text of more than 5 MB");
    this.spend(value.length >> 5);
    return value;
  }
}

export type Run = (evaluation: Evaluation, context: unknown) => unknown;
