import type { PageRequest } from "../../domain/cursor.ts";
import { bigint, boolean, integer, oneOf, orNull, text, timestamp } from "../columns.ts";
import { keysetList } from "../keyset.ts";
import type { Db } from "../pool.ts";
import { type RowOf, statement } from "../statement.ts";

const MANAGED_FLOW = {
  select: `f.id, f.name, f.slug, f.organization_id AS "organizationId", f.active, f.version, f.draft_revision AS revision,
    f.managed_by AS "managedBy",
    EXISTS (SELECT FROM flow_drafts d WHERE d.organization_id = f.organization_id AND d.flow_id = f.id) AS "hasDraft",
    CASE WHEN w.enabled THEN 'enabled' WHEN NOT w.enabled THEN 'disabled' ELSE 'none' END AS webhook,
    (SELECT count(*) FROM flow_schedules s WHERE s.organization_id = f.organization_id AND s.flow_id = f.id) AS schedules,
    f.created_at AS "createdAt", f.updated_at AS "updatedAt"`,
  from: `flows f LEFT JOIN flow_webhooks w ON w.organization_id = f.organization_id AND w.flow_id = f.id`,
  columns: {
    id: text,
    name: text,
    slug: orNull(text),
    organizationId: text,
    active: boolean,
    version: orNull(text),
    revision: integer,
    managedBy: oneOf("apply", "console"),
    hasDraft: boolean,
    webhook: oneOf("enabled", "disabled", "none"),
    schedules: bigint,
    createdAt: timestamp,
    updatedAt: orNull(timestamp),
  },
};

export type ManagedFlowRecord = RowOf<typeof MANAGED_FLOW.columns>;

const LIST_MANAGED_FLOWS = keysetList({
  text: `SELECT * FROM (
       SELECT ${MANAGED_FLOW.select}, f.created_at FROM ${MANAGED_FLOW.from}
        WHERE f.organization_id = $1 AND f.deleted_at IS NULL
     ) AS listed WHERE true`,
  columns: { ...MANAGED_FLOW.columns, created_at: timestamp },
});

export async function listManagedFlows(
  db: Db,
  organizationId: string,
  page: PageRequest,
): Promise<ManagedFlowRecord[]> {
  const { rows } = await db.query(LIST_MANAGED_FLOWS(organizationId, page));
  return rows;
}

const FIND_MANAGED_FLOW = statement({
  text: `SELECT ${MANAGED_FLOW.select} FROM ${MANAGED_FLOW.from} WHERE f.id = $1 AND f.deleted_at IS NULL`,
  columns: MANAGED_FLOW.columns,
});

/** By id alone, whoever owns it. */
export async function findManagedFlow(db: Db, flowId: string): Promise<ManagedFlowRecord | undefined> {
  const { rows } = await db.query(FIND_MANAGED_FLOW([flowId]));
  return rows[0];
}
