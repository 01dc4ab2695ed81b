/** What is told of a run. */
export interface RunState {
  readonly id: string;
  readonly flowId: string;
  readonly status: string;
  readonly updatedAt: Date;
}

interface Batch {
  readonly number: number;
  readonly runs: readonly RunState[];
}

/**
 * The last changes of an organization's runs, in numbered batches. Whoever is behind gets what it missed, each run once
 * and as it is now; who is too far behind, or comes with a number from elsewhere, is told to read everything anew.
 */
export class RunFeed {
  /** Unlike that of any other feed: numbers mean something only beside it. */
  readonly name: string;
  readonly #maxRuns: number;
  readonly #batches: Batch[] = [];
  #kept = 0;
  #latest = 0;

  constructor(name: string, maxRuns: number) {
    this.name = name;
    this.#maxRuns = maxRuns;
  }

  get latest(): number {
    return this.#latest;
  }

  add(runs: readonly RunState[]): void {
    if (runs.length === 0) return;
    this.#latest += 1;
    this.#batches.push({ number: this.#latest, runs });
    this.#kept += runs.length;
    while (this.#kept > this.#maxRuns && this.#batches.length > 1)
      this.#kept -= this.#batches.shift()!.runs.length;
  }

  /** Undefined: what followed is not known any more. */
  after(number: number): readonly RunState[] | undefined {
    if (number === this.#latest) return [];
    const at = this.#batches.findIndex((batch) => batch.number === number + 1);
    if (at < 0) return undefined;
    const missed = this.#batches.slice(at);
    if (missed.length === 1) return missed[0]!.runs;
    return [...new Map(missed.flatMap(({ runs }) => runs.map((run) => [run.id, run]))).values()];
  }
}
