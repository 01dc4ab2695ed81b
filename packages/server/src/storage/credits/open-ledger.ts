import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

const OPEN_LEDGER = statement({
  text: `INSERT INTO credit_entries (organization_id, id, kind, amount)
     SELECT $1, $2, 'opening', $3::bigint
     WHERE NOT EXISTS (SELECT FROM credit_entries WHERE organization_id = $1 AND kind = 'opening')`,
});

/** The opening entry, once in an organization's life; later calls change nothing. */
export async function openLedger(
  db: Db,
  entry: { id: string; organizationId: string; amount: number },
): Promise<boolean> {
  const { rowCount } = await db.query(OPEN_LEDGER([entry.organizationId, entry.id, entry.amount]));
  return rowCount !== 0;
}
