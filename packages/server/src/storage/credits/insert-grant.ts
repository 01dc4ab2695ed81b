import type { Db } from "../pool.ts";

export interface Grant {
  readonly id: string;
  readonly organizationId: string;
  readonly amount: number;
  readonly note?: string;
}

export async function insertGrant(db: Db, { id, organizationId, amount, note }: Grant): Promise<void> {
  await db.query(
    `INSERT INTO credit_entries (organization_id, id, kind, amount, note) VALUES ($1, $2, 'grant', $3, $4)`,
    [organizationId, id, amount, note],
  );
}
