import { timestamp } from "../columns.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

// Any constants will do, as long as every Millrace of the same database uses them.
const CATALOGUE_LOCK = 4_163_905_502;
const ORGANIZATION_LOCKS = 416_390;
const LOCK_NOT_AVAILABLE = "55P03";

/** The release before this one locks the whole catalogue; its lock and this one exclude each other. */
const SHARE_CATALOGUE = statement({
  text: `SELECT now() AS now FROM pg_advisory_xact_lock_shared($1)`,
  columns: { now: timestamp },
});

const LOCK_ORGANIZATION = statement({ text: `SELECT FROM pg_advisory_xact_lock($1, hashtext($2))` });

/**
 * One change of an organization's documents at a time; released with the transaction, whose time is the answer.
 * Undefined: another one is at work and did not end in time.
 */
export async function lockCatalogue(db: Db, organizationIds: Iterable<string>): Promise<Date | undefined> {
  try {
    const { rows } = await db.query(SHARE_CATALOGUE([CATALOGUE_LOCK]));
    // In one order for all, so that two who want the same ones never wait for each other.
    for (const id of [...new Set(organizationIds)].sort())
      await db.query(LOCK_ORGANIZATION([ORGANIZATION_LOCKS, id]));
    return rows[0]!.now;
  } catch (error) {
    if ((error as { code?: string }).code === LOCK_NOT_AVAILABLE) return undefined;
    throw error;
  }
}
