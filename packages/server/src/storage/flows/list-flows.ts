import type { PageRequest } from "../../domain/cursor.ts";
import type { FlowRecord } from "../../domain/records.ts";
import { keyset } from "../keyset.ts";
import type { Db } from "../pool.ts";

export const FLOW_COLUMNS = `id, name, slug, organization_id AS "organizationId", active, version,
  created_at AS "createdAt", updated_at AS "updatedAt"`;

export async function listFlows(
  db: Db,
  organizationIds: readonly string[],
  page: PageRequest,
): Promise<FlowRecord[]> {
  const parameters: unknown[] = [organizationIds];
  const { where, orderAndLimit } = keyset(page, parameters);
  const { rows } = await db.query<FlowRecord>(
    `SELECT ${FLOW_COLUMNS} FROM flows
      WHERE organization_id = ANY($1) AND deleted_at IS NULL AND ${where} ${orderAndLimit}`,
    parameters,
  );
  return rows;
}
