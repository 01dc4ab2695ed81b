import type { Db } from "./pool.ts";

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

  /** Reads the database's clock; the answer is taken to have been made half-way through the round trip. */
  async calibrate(): Promise<void> {
    const before = performance.now();
    const { rows } = await this.#db.query(`SELECT extract(epoch FROM clock_timestamp()) * 1000 AS ms`);
    const middle = (before + performance.now()) / 2;
    this.#offsetMs = Number(rows[0].ms) - middle;
  }
}
