import type { PageRequest } from "../../domain/cursor.ts";
import type { FlowRecord } from "../../domain/records.ts";
import { DESIGN } from "../catalogue/design-columns.ts";
import { text } from "../columns.ts";
import { keysetList } from "../keyset.ts";
import type { Db } from "../pool.ts";

export const FLOW = {
  select: `${DESIGN.select}, coalesce(version, '') AS version`,
  columns: { ...DESIGN.columns, version: text },
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
