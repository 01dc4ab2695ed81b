import type { PageRequest } from "../../domain/cursor.ts";
import type { AgentRecord } from "../../domain/records.ts";
import { DESIGN } from "../catalogue/design-columns.ts";
import { texts } from "../columns.ts";
import { keysetList } from "../keyset.ts";
import type { Db } from "../pool.ts";

export const AGENT = {
  select: `${DESIGN.select}, model_ids AS "modelIds"`,
  columns: { ...DESIGN.columns, modelIds: texts },
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
