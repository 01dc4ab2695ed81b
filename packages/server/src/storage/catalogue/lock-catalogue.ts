import { timestamp } from "../columns.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

// Any constant will do, as long as every Millrace of the same database uses it.
const CATALOGUE_LOCK = 4_163_905_502;
const LOCK_NOT_AVAILABLE = "55P03";

const LOCK_CATALOGUE = statement({
  text: `SELECT now() AS now FROM pg_advisory_xact_lock($1)`,
  columns: { now: timestamp },
});

/**
 * One `apply` at a time; released with the transaction, whose time is the answer. Undefined: another one
 * is at work and did not end in time.
 */
export async function lockCatalogue(db: Db): Promise<Date | undefined> {
  try {
    const { rows } = await db.query(LOCK_CATALOGUE([CATALOGUE_LOCK]));
    return rows[0]!.now;
  } catch (error) {
    if ((error as { code?: string }).code === LOCK_NOT_AVAILABLE) return undefined;
    throw error;
  }
}
