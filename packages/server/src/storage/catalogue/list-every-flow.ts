import { bigint, boolean, oneOf, orNull, text } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";

const LIST_EVERY_FLOW = statement({
  text: `SELECT flows.id, flows.organization_id AS "organizationId", name, slug, active, version,
            CASE WHEN enabled THEN 'enabled' WHEN NOT enabled THEN 'disabled' ELSE 'none' END AS webhook,
            (SELECT count(*) FROM flow_schedules
             WHERE flow_schedules.organization_id = flows.organization_id AND flow_id = flows.id) AS schedules
     FROM flows
     LEFT JOIN flow_webhooks ON flow_webhooks.organization_id = flows.organization_id AND flow_id = flows.id
     WHERE deleted_at IS NULL AND ($1::text IS NULL OR flows.organization_id = $1)
     ORDER BY 2, 1`,
  columns: {
    id: text,
    organizationId: text,
    name: text,
    slug: orNull(text),
    active: boolean,
    /** NULL: nothing but a draft. */
    version: orNull(text),
    webhook: oneOf("enabled", "disabled", "none"),
    schedules: bigint,
  },
});

export type FlowSummary = Row<typeof LIST_EVERY_FLOW>;

/** For operators: of every organization, or of one. */
export async function listEveryFlow(db: Db, organizationId?: string): Promise<FlowSummary[]> {
  const { rows } = await db.query(LIST_EVERY_FLOW([organizationId]));
  return rows;
}
