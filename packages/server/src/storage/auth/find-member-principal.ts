import type { Principal } from "../../domain/principal.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";
import { HOLDER, memberOf } from "./holder.ts";

const FIND_MEMBER_PRINCIPAL = statement({
  name: "find-member-principal",
  text: `SELECT ${HOLDER.select}
       FROM users u
       JOIN memberships m ON m.user_id = u.id
       JOIN organizations o ON o.id = m.organization_id
      WHERE lower(u.email) = lower($1)
      GROUP BY u.id
      ORDER BY u.created_at, u.id
      LIMIT 1`,
  columns: HOLDER.memberColumns,
});

export interface TokenOf {
  readonly email: string;
  readonly expiresAt: Date;
  readonly clientId: string;
}

/** The member with this address, as whoever brings their access token; of several, who was there first. */
export async function findMemberPrincipal(
  db: Db,
  { email, expiresAt, clientId }: TokenOf,
): Promise<Principal | undefined> {
  const { rows } = await db.query(FIND_MEMBER_PRINCIPAL([email]));
  const [row] = rows;
  return row && { keyId: undefined, clientId, scope: "user", expiresAt, ...memberOf(row, "owner") };
}
