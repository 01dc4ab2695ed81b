import type { PageRequest } from "../../domain/cursor.ts";
import { bigint, oneOf, orNull, text, timestamp } from "../columns.ts";
import { keysetList } from "../keyset.ts";
import type { Db } from "../pool.ts";
import type { RowOf } from "../statement.ts";

const COLUMNS = {
  id: text,
  kind: oneOf("opening", "grant", "reserve", "settle", "carry"),
  amount: bigint,
  runId: orNull(text),
  note: orNull(text),
  createdAt: timestamp,
  created_at: timestamp,
};

export type CreditEntryRecord = RowOf<typeof COLUMNS>;

const LIST_CREDIT_ENTRIES = keysetList({
  text: `SELECT * FROM (
       SELECT id, kind, amount, run_id AS "runId", note, date_trunc('milliseconds', created_at) AS "createdAt",
              date_trunc('milliseconds', created_at) AS created_at
         FROM credit_entries WHERE organization_id = $1
     ) entries WHERE true`,
  columns: COLUMNS,
});

/** The ledger, newest first. */
export async function listCreditEntries(
  db: Db,
  organizationId: string,
  page: PageRequest,
): Promise<CreditEntryRecord[]> {
  const { rows } = await db.query(LIST_CREDIT_ENTRIES(organizationId, page));
  return rows;
}
