import type { Db } from "../pool.ts";

export async function findIdempotentRun(
  db: Db,
  organizationId: string,
  { scope, keyHash }: { readonly scope: string; readonly keyHash: Buffer },
): Promise<string | undefined> {
  const { rows } = await db.query({
    name: "find-idempotent-run",
    text: `SELECT run_id FROM idempotency_keys WHERE organization_id = $1 AND scope = $2 AND key_hash = $3`,
    values: [organizationId, scope, keyHash],
  });
  return rows[0]?.run_id;
}
