import type { Db } from "../pool.ts";

export interface Credits {
  readonly organizationId: string;
  /** False: unlimited, whatever the ledger says. */
  readonly limited: boolean;
  /** The sum of the ledger. */
  readonly balance: number;
}

export async function readCredits(db: Db, organizationId: string): Promise<Credits | undefined> {
  const { rows } = await db.query<Credits>(
    `SELECT id AS "organizationId", credits_limited AS limited,
            (SELECT coalesce(sum(amount), 0) FROM credit_entries WHERE organization_id = $1)::bigint AS balance
     FROM organizations WHERE id = $1`,
    [organizationId],
  );
  return rows[0];
}
