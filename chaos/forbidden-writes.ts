import type { Pool } from "pg";

/**
 * Writes that no release would make, as a faulty one or a tired operator might: the schema itself refuses them. Where
 * it does not, they are committed, and the checks at the end find what they have done.
 */
const FORBIDDEN = [
  `UPDATE runs SET status = 'FAILED' WHERE (organization_id, id) =
     (SELECT organization_id, id FROM runs WHERE status = 'COMPLETED' ORDER BY id DESC LIMIT 1)`,
  `UPDATE runs SET epoch = epoch - 1 WHERE (organization_id, id) =
     (SELECT organization_id, id FROM runs WHERE status = 'COMPLETED' AND epoch > 0 ORDER BY id DESC LIMIT 1)`,
  `INSERT INTO credit_entries (organization_id, id, kind, amount, run_id)
   SELECT organization_id, id || '_again', kind, amount, run_id FROM credit_entries
    WHERE kind = 'settle' ORDER BY run_id DESC LIMIT 1`,
];

export async function tryForbiddenWrites(pool: Pool): Promise<void> {
  for (const statement of FORBIDDEN) await pool.query(statement).catch(() => undefined);
}
