import type { Principal } from "../../domain/principal.ts";
import { HOLDER, principalsOf } from "../auth/holder.ts";
import { orNull, text } from "../columns.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";
import { SESSION_END, SESSION_LIVES } from "./session-life.ts";

const FIND_SESSION_PRINCIPALS = statement({
  name: "find-session-principals",
  text: `SELECT s.hash, s.id, s.key_id, coalesce(k.scope, 'user') AS scope, coalesce(k.role, 'owner') AS role,
            ${SESSION_END} AS expires_at, ${HOLDER.select}
       FROM console_sessions s
       JOIN users u ON u.id = s.user_id
       LEFT JOIN api_keys k ON k.id = s.key_id
       ${HOLDER.joins}
      WHERE s.hash = ANY($1) AND ${SESSION_LIVES}
      GROUP BY s.id, u.id, k.id
     HAVING coalesce(k.scope, 'user') = 'user' OR count(o.id) = 1`,
  columns: { ...HOLDER.columns, id: text, key_id: orNull(text) },
});

/** The principal of each session, in their order; undefined for unknown, ended and expired ones. */
export async function findSessionPrincipals(
  db: Db,
  tokenHashes: readonly Buffer[],
): Promise<(Principal | undefined)[]> {
  const { rows } = await db.query(FIND_SESSION_PRINCIPALS([tokenHashes]));
  return principalsOf(tokenHashes, rows, ({ key_id, id }) => ({
    keyId: key_id ?? undefined,
    sessionId: id,
  }));
}
