import { isDatabaseUnavailable } from "./pool.ts";

const maxBatchCharacters = 4 * 1024 * 1024;

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

export interface GroupLimits<Item> {
  readonly maxItems: number;
  readonly maxUnderWay: number;
  readonly sizeOf?: (item: Item) => number;
}

/**
 * Gathers single writes into one statement. Whatever arrives while a statement is under way goes into the
 * next one: an idle database answers at once, a busy one gets larger batches instead of more of them.
 */
export class GroupCommit<Item, Result> {
  readonly #flush: (items: Item[]) => Promise<Result[]>;
  readonly #maxItems: number;
  readonly #sizeOf: (item: Item) => number;
  readonly #maxUnderWay: number;
  #waiting: Waiting<Item, Result>[] = [];
  #underWay = 0;
  #scheduled = false;

  /** `flush` answers with one result per item, in the order of the items. */
  constructor(flush: (items: Item[]) => Promise<Result[]>, limits: GroupLimits<Item>) {
    this.#sizeOf = limits.sizeOf ?? (() => 0);
    this.#flush = flush;
    this.#maxItems = limits.maxItems;
    this.#maxUnderWay = limits.maxUnderWay;
  }

  get idle(): boolean {
    return this.#underWay === 0 && this.#waiting.length === 0;
  }

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      this.#schedule();
    });
  }

  /** Not at once: what the same turn of the event loop still brings belongs into the same batch. */
  #schedule(): void {
    if (this.#scheduled || this.#underWay >= this.#maxUnderWay) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      void this.#run();
    });
  }

  async #run(): Promise<void> {
    const batch = this.#waiting.splice(0, this.#countForBatch());
    if (batch.length === 0) return;
    this.#underWay++;
    if (this.#waiting.length > 0) this.#schedule();
    try {
      const results = await this.#flush(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, at) => resolve(results[at]!));
    } catch (error) {
      if (batch.length === 1 || isDatabaseUnavailable(error)) for (const { reject } of batch) reject(error);
      else await this.#runOneByOne(batch);
    } finally {
      this.#underWay--;
      if (this.#waiting.length > 0) this.#schedule();
    }
  }

  /** A batch ends where its texts would be too much for one statement; a single item is never too much. */
  #countForBatch(): number {
    let count = 0;
    let size = 0;
    while (count < Math.min(this.#waiting.length, this.#maxItems)) {
      size += this.#sizeOf(this.#waiting[count]!.item);
      if (count > 0 && size > maxBatchCharacters) break;
      count += 1;
    }
    return count;
  }

  /** One item cannot be written: the others shall not share its fate. */
  async #runOneByOne(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    for (const { item, resolve, reject } of batch) {
      await this.#flush([item]).then(([result]) => resolve(result!), reject);
    }
  }
}
