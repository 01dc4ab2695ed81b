import { type FreshCache, freshCache, remember, type Stopwatch } from "../../domain/fresh-cache.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Db, Pool } from "../../storage/pool.ts";
import { withTimeLimit } from "../../storage/statistics/with-time-limit.ts";

const FRESH_MS = 5_000;
const MAX_ANSWERS = 500;
const MAX_WAITING = 50;
const RETRY_AFTER_SECONDS = 5;

/**
 * Figures are read from the rows of runs, one question at a time in a process and the same one at most every few seconds:
 * however many look at them, runs never notice.
 */
export class StatisticsDesk {
  readonly #pool: Pool;
  readonly #answers: FreshCache<Promise<unknown>>;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(pool: Pool, clock: Stopwatch = performance) {
    this.#pool = pool;
    this.#answers = freshCache({ maxEntries: MAX_ANSWERS, freshMs: FRESH_MS, clock });
  }

  /** `question` names everything that the answer depends on. */
  ask<T>(question: string, read: (db: Db) => Promise<T>): Promise<T> {
    return remember(this.#answers, question, () => this.#inTurn(read)) as Promise<T>;
  }

  #inTurn<T>(read: (db: Db) => Promise<T>): Promise<T> {
    if (this.#waiting >= MAX_WAITING)
      return Promise.reject(new Refusal("too_many_requests", { retryAfterSeconds: RETRY_AFTER_SECONDS }));
    this.#waiting += 1;
    const turn = this.#last
      .then(() => withTimeLimit(this.#pool, read))
      .finally(() => {
        this.#waiting -= 1;
      });
    this.#last = turn.catch(() => {});
    return turn;
  }
}
