import type { Db } from "../pool.ts";

export interface FlowSummary {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly slug: string | null;
  readonly active: boolean;
  readonly version: string;
  readonly webhook: "enabled" | "disabled" | "none";
  readonly schedules: number;
}

/** For operators: of every organization, or of one. */
export async function listEveryFlow(db: Db, organizationId?: string): Promise<FlowSummary[]> {
  const { rows } = await db.query<FlowSummary>(
    `SELECT flows.id, flows.organization_id AS "organizationId", name, slug, active, version,
            CASE WHEN enabled THEN 'enabled' WHEN NOT enabled THEN 'disabled' ELSE 'none' END AS webhook,
            (SELECT count(*) FROM flow_schedules
             WHERE flow_schedules.organization_id = flows.organization_id AND flow_id = flows.id) AS schedules
     FROM flows
     LEFT JOIN flow_webhooks ON flow_webhooks.organization_id = flows.organization_id AND flow_id = flows.id
     WHERE deleted_at IS NULL AND ($1::text IS NULL OR flows.organization_id = $1)
     ORDER BY 2, 1`,
    [organizationId],
  );
  return rows;
}
