import type { Membership, Principal } from "../../domain/principal.ts";
import { lesserRole, type Role } from "../../domain/role.ts";
import { boolean, bytes, jsonb, oneOf, text, timestamp } from "../columns.ts";
import type { RowOf } from "../statement.ts";

interface StoredMembership {
  readonly id: string;
  readonly role: Role;
  readonly suspended: boolean;
  readonly requestsPerMinute: number | null;
  readonly hidesValues: boolean;
}

/** What is read of a user `u`, of the memberships `m` and of their organizations `o`. */
const MEMBER_COLUMNS = {
  user_id: text,
  email: text,
  name: text,
  disabled: boolean,
  organizations: jsonb<readonly StoredMembership[]>(),
};

/** What is read of whoever holds a key or a session: of a user, and of the key `k`, if there is one. */
export const HOLDER = {
  select: `u.id AS user_id, u.email, u.name, u.disabled,
            coalesce(jsonb_agg(jsonb_build_object(
              'id', o.id, 'role', m.role, 'suspended', o.suspended, 'requestsPerMinute', o.requests_per_minute,
              'hidesValues', o.values_hidden
            )) FILTER (WHERE o.id IS NOT NULL), '[]') AS organizations`,
  // An organization key acts as its user and ends with the membership.
  joins: `LEFT JOIN memberships m ON m.user_id = u.id AND (k.organization_id IS NULL OR m.organization_id = k.organization_id)
       LEFT JOIN organizations o ON o.id = m.organization_id`,
  columns: {
    hash: bytes,
    scope: oneOf("org", "user"),
    role: oneOf("owner", "admin", "member", "viewer"),
    expires_at: timestamp,
    ...MEMBER_COLUMNS,
  },
  memberColumns: MEMBER_COLUMNS,
};

type HolderRow = RowOf<typeof HOLDER.columns>;
type MemberRow = RowOf<typeof MEMBER_COLUMNS>;

/** The principal of each hash, in their order, each with what proved it; undefined where no row has the hash. */
export function principalsOf<Row extends HolderRow>(
  hashes: readonly Buffer[],
  rows: readonly Row[],
  proofOf: (row: Row) => Pick<Principal, "keyId" | "sessionId">,
): (Principal | undefined)[] {
  const principals = new Map(
    rows.map((row) => [
      row.hash.toString("hex"),
      {
        ...proofOf(row),
        scope: row.scope,
        expiresAt: row.expires_at,
        ...memberOf(row, row.role),
      },
    ]),
  );
  return hashes.map((hash) => principals.get(hash.toString("hex")));
}

/** Somebody with what may be done in their name by whoever has this role at most. */
export function memberOf(
  { user_id, email, name, disabled, organizations }: MemberRow,
  max: Role,
): Pick<Principal, "user" | "organizations"> {
  return { user: { id: user_id, email, name, disabled }, organizations: membershipsOf(organizations, max) };
}

function membershipsOf(stored: readonly StoredMembership[], max: Role): Map<string, Membership> {
  return new Map(
    stored.map(({ id, role, suspended, requestsPerMinute, hidesValues }) => [
      id,
      {
        role: lesserRole(role, max),
        suspended,
        requestsPerMinute: requestsPerMinute ?? undefined,
        hidesValues,
      },
    ]),
  );
}
