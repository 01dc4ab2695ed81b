import { setImmediate as nextTurn } from "node:timers/promises";
import { numeric } from "./columns.ts";
import type { Db } from "./pool.ts";
import { statement } from "./statement.ts";

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
  #reading: Promise<number> | undefined;

  constructor(db: Db) {
    this.#db = db;
  }

  nowMs(): number {
    return performance.now() + this.#offsetMs;
  }

  now(): Date {
    return new Date(Math.floor(this.nowMs()));
  }

  /** What the database's clock says now: the reading begins after this call. Those who ask in one turn share it. */
  read(): Promise<number> {
    this.#reading ??= nextTurn().then(() => {
      this.#reading = undefined;
      return this.calibrate();
    });
    return this.#reading;
  }

  /**
   * Reads the database's clock, some time between asking and answering. This clock is never ahead of the database's: what
   * is made by it does not lie in the future of what the database stamps, and what it waits for has come. So a
   * reading is taken to be as old as can be, and moves this clock back only where the database's has gone back.
   */
  async calibrate(): Promise<number> {
    const askedAtMs = performance.now();
    const { rows } = await this.#db.query(READ_CLOCK());
    const answeredAtMs = performance.now();
    const readMs = Number(rows[0]!.ms);
    const earliest = readMs - answeredAtMs;
    const latest = readMs - askedAtMs;
    this.#offsetMs = Number.isNaN(this.#offsetMs)
      ? earliest
      : Math.min(Math.max(this.#offsetMs, earliest), latest);
    return readMs;
  }
}
