import { numeric } from "./columns.ts";
import type { Db } from "./pool.ts";
import { statement } from "./statement.ts";

const SLOW_READING_MS = 1_000;

const READ_CLOCK = statement({
  text: `SELECT extract(epoch FROM clock_timestamp()) * 1000 AS ms`,
  columns: { ms: numeric },
});

/**
 * The database's time without asking the database: its clock was read once in a while, and the
 * process's monotonic clock tells how long ago. A machine whose own date is wrong changes nothing.
 */
export class DatabaseClock {
  readonly #db: Db;
  #offsetMs = Number.NaN;

  constructor(db: Db) {
    this.#db = db;
  }

  nowMs(): number {
    return performance.now() + this.#offsetMs;
  }

  now(): Date {
    return new Date(Math.floor(this.nowMs()));
  }

  /**
   * Reads the database's clock. The reading is taken to be as old as can be, so that this clock is never ahead of
   * the database's: what is made by it does not lie in the future of what the database stamps. One that took long,
   * because this process stood still meanwhile, is worse than the last.
   */
  async calibrate(): Promise<void> {
    const askedAtMs = performance.now();
    const { rows } = await this.#db.query(READ_CLOCK());
    const answeredAtMs = performance.now();
    if (answeredAtMs - askedAtMs > SLOW_READING_MS && !Number.isNaN(this.#offsetMs)) return;
    this.#offsetMs = Number(rows[0]!.ms) - answeredAtMs;
  }
}
