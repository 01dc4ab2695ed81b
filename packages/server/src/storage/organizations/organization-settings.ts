import type { Actor } from "../../domain/actor.ts";
import { boolean, integer, orNull, text, timestamp } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type RowOf, statement } from "../statement.ts";

const SETTINGS = {
  select: `id, name, suspended, concurrency_limit AS concurrency, queue_limit AS queue,
            requests_per_minute AS "requestsPerMinute", values_hidden AS "valuesHidden", audit_days AS "auditDays",
            created_at AS "createdAt"`,
  columns: {
    id: text,
    name: text,
    suspended: boolean,
    concurrency: integer,
    queue: integer,
    requestsPerMinute: orNull(integer),
    valuesHidden: boolean,
    auditDays: integer,
    createdAt: timestamp,
  },
};

export type OrganizationSettings = RowOf<typeof SETTINGS.columns>;

const READ_ORGANIZATION_SETTINGS = statement({
  text: `SELECT ${SETTINGS.select} FROM organizations WHERE id = ANY($1::text[]) ORDER BY id`,
  columns: SETTINGS.columns,
});

export async function readOrganizationSettings(
  db: Db,
  ids: readonly string[],
): Promise<OrganizationSettings[]> {
  const { rows } = await db.query(READ_ORGANIZATION_SETTINGS([ids]));
  return rows;
}

export interface SettingChanges {
  readonly name?: string | undefined;
  readonly concurrency?: number | undefined;
  readonly queue?: number | undefined;
  readonly requestsPerMinute?: number | undefined;
  readonly valuesHidden?: boolean | undefined;
  readonly auditDays?: number | undefined;
}

const SHOWN = (row: string) =>
  `json_build_object('name', ${row}.name, 'concurrency', ${row}.concurrency, 'queue', ${row}.queue,
    'requestsPerMinute', ${row}."requestsPerMinute", 'valuesHidden', ${row}."valuesHidden", 'auditDays', ${row}."auditDays")`;

const CHANGE_ORGANIZATION_SETTINGS = statement({
  text: `WITH before AS (
       SELECT ${SETTINGS.select} FROM organizations WHERE id = $1
     ), after AS (
       UPDATE organizations SET name = coalesce($2, name), concurrency_limit = coalesce($3, concurrency_limit),
              queue_limit = coalesce($4, queue_limit), requests_per_minute = coalesce($5, requests_per_minute),
              values_hidden = coalesce($6, values_hidden), audit_days = coalesce($7, audit_days), updated_at = now()
        WHERE id = $1 RETURNING ${SETTINGS.select}
     ), audited AS (
       INSERT INTO audit_entries (organization_id, id, created_at, user_id, via, via_id, address, action, target, before, after)
       SELECT $1, $8, millrace_now(), $9, $10, $11, $12, 'organization.change', $1, ${SHOWN("b")}, ${SHOWN("a")}
         FROM before b JOIN after a ON a.id = b.id WHERE ${SHOWN("b")}::text <> ${SHOWN("a")}::text
     )
     SELECT * FROM after`,
  columns: SETTINGS.columns,
});

/**
 * What is undefined stays as it is. One statement with its entry in the audit log: whoever starts a run waits for the
 * organization's row, so nobody may hold it for longer.
 */
export async function changeOrganizationSettings(
  db: Db,
  id: string,
  changes: SettingChanges,
  { entryId, actor }: { readonly entryId: string; readonly actor: Actor },
): Promise<OrganizationSettings | undefined> {
  const { name, concurrency, queue, requestsPerMinute, valuesHidden, auditDays } = changes;
  const { userId, via, viaId, address } = actor;
  const settings = [name, concurrency, queue, requestsPerMinute, valuesHidden, auditDays];
  const { rows } = await db.query(
    CHANGE_ORGANIZATION_SETTINGS([id, ...settings, entryId, userId, via, viaId, address]),
  );
  return rows[0];
}
