import { integer } from "../columns.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

export interface DraftRow {
  readonly organizationId: string;
  readonly flowId: string;
  readonly graph: unknown;
  /** What the document says beside it. Undefined: as the draft has it, or else the version in force. */
  readonly settings: object | undefined;
  readonly author: string | undefined;
}

const PUT_DRAFT = statement({
  text: `WITH put AS (
       INSERT INTO flow_drafts AS known (organization_id, flow_id, graph, author, settings) VALUES ($1, $2, $3::text::json, $4, $5::text::json)
       ON CONFLICT (organization_id, flow_id) DO UPDATE SET
         graph = excluded.graph, settings = coalesce(excluded.settings, known.settings), author = excluded.author, updated_at = now()
       WHERE known.graph::text <> $3::text OR known.settings::text IS DISTINCT FROM coalesce($5::text, known.settings::text)
       RETURNING flow_id
     )
     UPDATE flows SET draft_revision = draft_revision + 1 FROM put WHERE organization_id = $1 AND id = $2
     RETURNING draft_revision AS revision`,
  columns: { revision: integer },
});

/** The draft of a flow, whatever it was before; says whether that changed anything. */
export async function putDraft(db: Db, row: DraftRow): Promise<boolean> {
  const { rowCount } = await db.query(
    PUT_DRAFT([row.organizationId, row.flowId, JSON.stringify(row.graph), row.author, settingsText(row)]),
  );
  return rowCount !== 0;
}

export function settingsText({ settings }: DraftRow): string | undefined {
  return settings && JSON.stringify(settings);
}
