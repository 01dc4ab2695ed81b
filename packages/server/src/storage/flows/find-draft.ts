import type { FlowSettings } from "@millrace/contract/documents/flow";
import type { FlowGraph } from "@millrace/contract/documents/graph";
import { json, orNull, text, timestamp } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";

const FIND_DRAFT = statement({
  text: `SELECT graph, settings, author, updated_at AS "updatedAt" FROM flow_drafts WHERE organization_id = $1 AND flow_id = $2`,
  columns: {
    graph: json<FlowGraph>(),
    /** NULL: as the version in force has them. */
    settings: orNull(json<FlowSettings>()),
    author: orNull(text),
    updatedAt: timestamp,
  },
});

export type StoredDraft = Row<typeof FIND_DRAFT>;

export async function findDraft(
  db: Db,
  organizationId: string,
  flowId: string,
): Promise<StoredDraft | undefined> {
  const { rows } = await db.query(FIND_DRAFT([organizationId, flowId]));
  return rows[0];
}
