import { integer } from "../columns.ts";
import { type DraftRow, settingsText } from "../catalogue/put-draft.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

const SAVE_DRAFT = statement({
  text: `WITH raised AS (
       UPDATE flows SET draft_revision = draft_revision + 1
        WHERE organization_id = $1 AND id = $2 AND draft_revision = $5 AND deleted_at IS NULL
       RETURNING draft_revision
     ), saved AS (
       INSERT INTO flow_drafts AS known (organization_id, flow_id, graph, author, settings)
       SELECT $1, $2, $3::text::json, $4, $6::text::json FROM raised
       ON CONFLICT (organization_id, flow_id) DO UPDATE SET
         graph = excluded.graph, settings = coalesce(excluded.settings, known.settings), author = excluded.author, updated_at = now()
     )
     SELECT draft_revision AS revision FROM raised`,
  columns: { revision: integer },
});

/** The new revision; undefined where the draft is no longer the one that was read. */
export async function saveDraft(db: Db, row: DraftRow, revision: number): Promise<number | undefined> {
  const { rows } = await db.query(
    SAVE_DRAFT([
      row.organizationId,
      row.flowId,
      JSON.stringify(row.graph),
      row.author,
      revision,
      settingsText(row),
    ]),
  );
  return rows[0]?.revision;
}

const DELETE_DRAFT = statement({
  text: `DELETE FROM flow_drafts WHERE organization_id = $1 AND flow_id = $2`,
});

/** What was published is no draft any more. */
export async function deleteDraft(db: Db, organizationId: string, flowId: string): Promise<void> {
  await db.query(DELETE_DRAFT([organizationId, flowId]));
}
