import type { Membership } from "../../domain/principal.ts";
import { lesserRole, type Role } from "../../domain/role.ts";
import { jsonb } from "../columns.ts";

/** Of organizations `o` and memberships `m`, gathered into one row. */
export const MEMBERSHIPS = {
  select: `coalesce(jsonb_agg(jsonb_build_object(
              'id', o.id, 'role', m.role, 'suspended', o.suspended, 'requestsPerMinute', o.requests_per_minute,
              'hidesValues', o.values_hidden
            )) FILTER (WHERE o.id IS NOT NULL), '[]')`,
  column: jsonb<readonly StoredMembership[]>(),
};

interface StoredMembership {
  readonly id: string;
  readonly role: Role;
  readonly suspended: boolean;
  readonly requestsPerMinute: number | null;
  readonly hidesValues: boolean;
}

/** What a holder may who has this role at most. */
export function membershipsOf(stored: readonly StoredMembership[], max: Role): Map<string, Membership> {
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
