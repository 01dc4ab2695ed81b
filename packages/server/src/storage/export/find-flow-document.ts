import type { FlowSettings } from "@millrace/contract/documents/flow";
import type { FlowGraph } from "@millrace/contract/documents/graph";
import { assumed, boolean, integer, json, orNull, text } from "../columns.ts";
import { inDocumentOrder } from "../key-order.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";

const LIST_FLOW_IDS = statement({
  text: `SELECT id FROM flows WHERE organization_id = $1 AND deleted_at IS NULL ORDER BY id`,
  columns: { id: text },
});

export async function listFlowIds(db: Db, organizationId: string): Promise<string[]> {
  const { rows } = await db.query(LIST_FLOW_IDS([organizationId]));
  return rows.map(({ id }) => id);
}

const FIND_FLOW_DOCUMENT = statement({
  text: `SELECT f.name, f.slug, f.active, w.enabled AS webhook, w.respond_wait_ms AS "respondWaitMs", v.version, v.settings, ${inDocumentOrder("graph", "v.")}
       FROM flows f
       LEFT JOIN flow_webhooks w ON w.organization_id = f.organization_id AND w.flow_id = f.id
       LEFT JOIN flow_versions v ON v.organization_id = f.organization_id AND v.flow_id = f.id AND v.version = f.version
      WHERE f.organization_id = $1 AND f.id = $2 AND f.deleted_at IS NULL`,
  columns: {
    name: text,
    slug: orNull(text),
    active: boolean,
    /** Whether it is enabled; NULL where there is none. */
    webhook: orNull(boolean),
    respondWaitMs: orNull(integer),
    /** NULL, as is the graph: nothing but a draft. */
    version: orNull(text),
    settings: orNull(json<FlowSettings>()),
    graph: orNull(json<FlowGraph>()),
  },
});

export type FlowDocumentRow = Row<typeof FIND_FLOW_DOCUMENT>;

export async function findFlowDocument(
  db: Db,
  organizationId: string,
  id: string,
): Promise<FlowDocumentRow | undefined> {
  const { rows } = await db.query(FIND_FLOW_DOCUMENT([organizationId, id]));
  return rows[0];
}

const LIST_SCHEDULE_DOCUMENTS = statement({
  text: `SELECT id, cron, timezone, ${inDocumentOrder("data")} FROM flow_schedules
      WHERE organization_id = $1 AND flow_id = $2 ORDER BY id`,
  columns: {
    id: text,
    cron: text,
    timezone: text,
    data: assumed(json<Readonly<Record<string, unknown>>>()),
  },
});

export type ScheduleDocumentRow = Row<typeof LIST_SCHEDULE_DOCUMENTS>;

export async function listScheduleDocuments(
  db: Db,
  organizationId: string,
  flowId: string,
): Promise<ScheduleDocumentRow[]> {
  const { rows } = await db.query(LIST_SCHEDULE_DOCUMENTS([organizationId, flowId]));
  return rows;
}
