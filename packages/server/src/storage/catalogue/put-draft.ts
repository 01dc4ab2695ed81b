import { integer } from "../columns.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

export interface DraftRow {
  readonly organizationId: string;
  readonly flowId: string;
  readonly graph: unknown;
  readonly author: string | undefined;
}

const PUT_DRAFT = statement({
  text: `WITH put AS (
       INSERT INTO flow_drafts AS known (organization_id, flow_id, graph, author) VALUES ($1, $2, $3::text::json, $4)
       ON CONFLICT (organization_id, flow_id) DO UPDATE SET graph = excluded.graph, author = excluded.author, updated_at = now()
       WHERE known.graph::text <> $3::text
       RETURNING flow_id
     )
     UPDATE flows SET draft_revision = draft_revision + 1 FROM put WHERE organization_id = $1 AND id = $2
     RETURNING draft_revision AS revision`,
  columns: { revision: integer },
});

/** The draft of a flow, whatever it was before; says whether that changed anything. */
export async function putDraft(db: Db, row: DraftRow): Promise<boolean> {
  const { rowCount } = await db.query(
    PUT_DRAFT([row.organizationId, row.flowId, JSON.stringify(row.graph), row.author]),
  );
  return rowCount !== 0;
}
