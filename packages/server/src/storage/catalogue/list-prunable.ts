import type { DocumentKind } from "@millrace/contract/documents/document";
import type { Db } from "../pool.ts";

export interface PrunableRow {
  readonly kind: Exclude<DocumentKind, "Organization">;
  readonly organizationId: string;
  readonly id: string;
}

/** Everything that documents put into these organizations. */
export async function listPrunable(db: Db, organizationIds: readonly string[]): Promise<PrunableRow[]> {
  const { rows } = await db.query(
    `SELECT 'Flow' AS kind, organization_id AS "organizationId", id FROM flows
       WHERE organization_id = ANY ($1::text[]) AND deleted_at IS NULL
     UNION ALL
     SELECT 'Agent', organization_id, id FROM agents WHERE organization_id = ANY ($1::text[]) AND deleted_at IS NULL
     UNION ALL
     SELECT 'Credential', organization_id, id FROM credentials WHERE organization_id = ANY ($1::text[])
     UNION ALL
     SELECT 'EventEndpoint', organization_id, id FROM event_endpoints WHERE organization_id = ANY ($1::text[])
     ORDER BY 2, 1, 3`,
    [organizationIds],
  );
  return rows;
}
