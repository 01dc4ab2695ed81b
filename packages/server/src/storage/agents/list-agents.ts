import type { PageRequest } from "../../domain/cursor.ts";
import type { AgentRecord } from "../../domain/records.ts";
import { boolean, orNull, text, texts, timestamp } from "../columns.ts";
import { keysetList } from "../keyset.ts";
import type { Db } from "../pool.ts";

export const AGENT = {
  select: `id, name, slug, organization_id AS "organizationId", active, model_ids AS "modelIds",
  created_at AS "createdAt", updated_at AS "updatedAt"`,
  columns: {
    id: text,
    name: text,
    slug: orNull(text),
    organizationId: text,
    active: boolean,
    modelIds: texts,
    createdAt: timestamp,
    updatedAt: orNull(timestamp),
  },
};

const LIST_AGENTS = keysetList({
  text: `SELECT ${AGENT.select} FROM agents WHERE organization_id = ANY($1) AND deleted_at IS NULL`,
  columns: AGENT.columns,
});

export async function listAgents(
  db: Db,
  organizationIds: readonly string[],
  page: PageRequest,
): Promise<AgentRecord[]> {
  const { rows } = await db.query(LIST_AGENTS(organizationIds, page));
  return rows;
}
