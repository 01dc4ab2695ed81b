import type { Db } from "../pool.ts";

// Any constant will do, as long as every Millrace of the same database uses it.
const CATALOGUE_LOCK = 4_163_905_502;

/** One `apply` at a time; released with the transaction, whose time is the answer. */
export async function lockCatalogue(db: Db): Promise<Date> {
  const { rows } = await db.query(`SELECT now() AS now FROM pg_advisory_xact_lock($1)`, [CATALOGUE_LOCK]);
  return rows[0].now;
}
