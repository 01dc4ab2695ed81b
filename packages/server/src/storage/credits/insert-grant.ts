import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

export interface Grant {
  readonly id: string;
  readonly organizationId: string;
  readonly amount: number;
  readonly note?: string;
}

const INSERT_GRANT = statement({
  text: `INSERT INTO credit_entries (organization_id, id, kind, amount, note) VALUES ($1, $2, 'grant', $3, $4)`,
});

export async function insertGrant(db: Db, { id, organizationId, amount, note }: Grant): Promise<void> {
  await db.query(INSERT_GRANT([organizationId, id, amount, note]));
}
