import type { PageRequest } from "../../domain/cursor.ts";
import type { AgentRecord } from "../../domain/records.ts";
import { keyset } from "../keyset.ts";
import type { Db } from "../pool.ts";

export const AGENT_COLUMNS = `id, name, slug, organization_id AS "organizationId", active, model_ids AS "modelIds",
  created_at AS "createdAt", updated_at AS "updatedAt"`;

export async function listAgents(
  db: Db,
  organizationIds: readonly string[],
  page: PageRequest,
): Promise<AgentRecord[]> {
  const parameters: unknown[] = [organizationIds];
  const { where, orderAndLimit } = keyset(page, parameters);
  const { rows } = await db.query<AgentRecord>(
    `SELECT ${AGENT_COLUMNS} FROM agents
      WHERE organization_id = ANY($1) AND deleted_at IS NULL AND ${where} ${orderAndLimit}`,
    parameters,
  );
  return rows;
}
