import type { Db } from "../pool.ts";

export interface AgentSummary {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly slug: string | null;
  readonly active: boolean;
  readonly modelIds: readonly string[];
}

/** For operators: of every organization, or of one. */
export async function listEveryAgent(db: Db, organizationId?: string): Promise<AgentSummary[]> {
  const { rows } = await db.query<AgentSummary>(
    `SELECT id, organization_id AS "organizationId", name, slug, active, model_ids AS "modelIds"
     FROM agents WHERE deleted_at IS NULL AND ($1::text IS NULL OR organization_id = $1)
     ORDER BY 2, 1`,
    [organizationId],
  );
  return rows;
}
