import { text } from "../columns.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

const FIND_IDEMPOTENT_RUN = statement({
  name: "find-idempotent-run",
  text: `SELECT run_id FROM idempotency_keys WHERE organization_id = $1 AND scope = $2 AND key_hash = $3`,
  columns: { run_id: text },
});

export async function findIdempotentRun(
  db: Db,
  organizationId: string,
  { scope, keyHash }: { readonly scope: string; readonly keyHash: Buffer },
): Promise<string | undefined> {
  const { rows } = await db.query(FIND_IDEMPOTENT_RUN([organizationId, scope, keyHash]));
  return rows[0]?.run_id;
}
