import type { PageRequest } from "../../domain/cursor.ts";
import { json, oneOf, orNull, text, timestamp } from "../columns.ts";
import { keysetList } from "../keyset.ts";
import type { Db } from "../pool.ts";
import type { RowOf } from "../statement.ts";

const COLUMNS = {
  organizationId: text,
  id: text,
  createdAt: timestamp,
  userId: orNull(text),
  via: oneOf("key", "session", "token", "link", "cli", "service"),
  viaId: orNull(text),
  address: orNull(text),
  action: text,
  target: text,
  before: orNull(json<object>()),
  after: orNull(json<object>()),
};

export type AuditEntryRecord = RowOf<typeof COLUMNS>;

export interface AuditFilter {
  readonly organizationId: string;
  /** `key` stands for `key.create` and all others of its kind. */
  readonly action?: string | undefined;
  readonly target?: string | undefined;
  readonly userId?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

const LIST_AUDIT_ENTRIES = keysetList({
  text: `SELECT organization_id AS "organizationId", id, created_at AS "createdAt", user_id AS "userId", via, via_id AS "viaId",
            address, action, target, before, after
       FROM audit_entries
      WHERE organization_id = $1::jsonb->>'organizationId'
        AND ($1::jsonb->>'action' IS NULL OR action = $1::jsonb->>'action' OR starts_with(action, ($1::jsonb->>'action') || '.'))
        AND ($1::jsonb->>'target' IS NULL OR target = $1::jsonb->>'target')
        AND ($1::jsonb->>'userId' IS NULL OR user_id = $1::jsonb->>'userId')
        AND ($1::jsonb->>'from' IS NULL OR created_at >= ($1::jsonb->>'from')::timestamptz)
        AND ($1::jsonb->>'to' IS NULL OR created_at <= ($1::jsonb->>'to')::timestamptz)`,
  columns: COLUMNS,
});

export async function listAuditEntries(
  db: Db,
  filter: AuditFilter,
  page: PageRequest,
): Promise<AuditEntryRecord[]> {
  const { rows } = await db.query(LIST_AUDIT_ENTRIES(JSON.stringify(filter), page));
  return rows;
}
