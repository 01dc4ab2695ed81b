import type { AgentDesign } from "@millrace/contract/documents/agent";
import { assumed, boolean, json, orNull, text, texts } from "../columns.ts";
import { inDocumentOrder } from "../key-order.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";

const LIST_AGENT_DOCUMENTS = statement({
  text: `SELECT a.id, a.name, a.slug, a.active, a.model_ids AS "modelIds", ${inDocumentOrder("design", "d.")}
       FROM agents a JOIN agent_designs d ON d.organization_id = a.organization_id AND d.agent_id = a.id
      WHERE a.organization_id = $1 AND a.deleted_at IS NULL ORDER BY a.id`,
  columns: {
    id: text,
    name: text,
    slug: orNull(text),
    active: boolean,
    modelIds: texts,
    design: assumed(json<AgentDesign>()),
  },
});

export type AgentDocumentRow = Row<typeof LIST_AGENT_DOCUMENTS>;

export async function listAgentDocuments(db: Db, organizationId: string): Promise<AgentDocumentRow[]> {
  const { rows } = await db.query(LIST_AGENT_DOCUMENTS([organizationId]));
  return rows;
}
