import { bigint, boolean, integer, json, orNull, text } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";

interface Member {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: "owner" | "admin" | "member" | "viewer";
  readonly disabled?: true;
}

const FIND_ORGANIZATION_DOCUMENT = statement({
  text: `SELECT o.name, o.suspended, o.concurrency_limit AS concurrency, o.queue_limit AS queue,
            o.requests_per_minute AS "requestsPerMinute", o.credits_limited AS "creditsLimited",
            o.values_hidden AS "valuesHidden", nullif(o.audit_days, 400) AS "auditDays",
            (SELECT v."values" FROM organization_variables v WHERE v.organization_id = o.id AND v.version = o.variables_version) AS variables,
            (SELECT amount FROM credit_entries WHERE organization_id = o.id AND kind = 'opening') AS opening,
            coalesce((SELECT json_agg(json_strip_nulls(json_build_object('id', u.id, 'email', u.email, 'name', u.name,
                'role', m.role, 'disabled', CASE WHEN u.disabled THEN true END)) ORDER BY u.id)
               FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.organization_id = o.id), '[]') AS members
       FROM organizations o WHERE o.id = $1`,
  columns: {
    name: text,
    suspended: boolean,
    concurrency: integer,
    queue: integer,
    requestsPerMinute: orNull(integer),
    creditsLimited: boolean,
    valuesHidden: boolean,
    /** NULL: as long as unless stated. */
    auditDays: orNull(integer),
    variables: orNull(json<Readonly<Record<string, unknown>>>()),
    opening: orNull(bigint),
    members: json<Member[]>(),
  },
});

export type OrganizationDocumentRow = Row<typeof FIND_ORGANIZATION_DOCUMENT>;

export async function findOrganizationDocument(
  db: Db,
  organizationId: string,
): Promise<OrganizationDocumentRow | undefined> {
  const { rows } = await db.query(FIND_ORGANIZATION_DOCUMENT([organizationId]));
  return rows[0];
}
