import type { PageRequest } from "../../domain/cursor.ts";
import type { FlowRecord } from "../../domain/records.ts";
import { boolean, orNull, text, timestamp } from "../columns.ts";
import { keysetList } from "../keyset.ts";
import type { Db } from "../pool.ts";

export const FLOW = {
  select: `id, name, slug, organization_id AS "organizationId", active, coalesce(version, '') AS version,
  created_at AS "createdAt", updated_at AS "updatedAt"`,
  columns: {
    id: text,
    name: text,
    slug: orNull(text),
    organizationId: text,
    active: boolean,
    version: text,
    createdAt: timestamp,
    updatedAt: orNull(timestamp),
  },
};

const LIST_FLOWS = keysetList({
  text: `SELECT ${FLOW.select} FROM flows WHERE organization_id = ANY($1) AND deleted_at IS NULL`,
  columns: FLOW.columns,
});

export async function listFlows(
  db: Db,
  organizationIds: readonly string[],
  page: PageRequest,
): Promise<FlowRecord[]> {
  const { rows } = await db.query(LIST_FLOWS(organizationIds, page));
  return rows;
}
