import type { Principal } from "../../domain/principal.ts";
import { text } from "../columns.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";
import { HOLDER, principalsOf } from "./holder.ts";

const FIND_PRINCIPALS = statement({
  name: "find-principals",
  text: `SELECT k.hash, k.id AS key_id, k.scope, k.role, k.expires_at, ${HOLDER.select}
       FROM api_keys k
       JOIN users u ON u.id = k.user_id
       ${HOLDER.joins}
      WHERE k.hash = ANY($1)
        AND k.expires_at > clock_timestamp()
        AND (k.revoked_at IS NULL OR k.revoked_at > clock_timestamp())
      GROUP BY k.id, u.id
     HAVING k.scope = 'user' OR count(o.id) = 1`,
  columns: { ...HOLDER.columns, key_id: text },
});

/** The principal of each key, in their order; undefined for unknown, expired and revoked ones. */
export async function findPrincipals(
  db: Db,
  keyHashes: readonly Buffer[],
): Promise<(Principal | undefined)[]> {
  const { rows } = await db.query(FIND_PRINCIPALS([keyHashes]));
  return principalsOf(keyHashes, rows, (row) => ({ keyId: row.key_id }));
}
