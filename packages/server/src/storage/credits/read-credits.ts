import { bigint, boolean, text } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";

const READ_CREDITS = statement({
  text: `SELECT id AS "organizationId", credits_limited AS limited,
            (SELECT coalesce(sum(amount), 0) FROM credit_entries WHERE organization_id = $1)::bigint AS balance
     FROM organizations WHERE id = $1`,
  columns: {
    organizationId: text,
    /** False: unlimited, whatever the ledger says. */
    limited: boolean,
    /** The sum of the ledger. */
    balance: bigint,
  },
});

export type Credits = Row<typeof READ_CREDITS>;

export async function readCredits(db: Db, organizationId: string): Promise<Credits | undefined> {
  const { rows } = await db.query(READ_CREDITS([organizationId]));
  return rows[0];
}
