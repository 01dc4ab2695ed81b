import { boolean } from "../columns.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

const HAS_CODE_FLOWS = statement({
  text: `
SELECT EXISTS (
  SELECT FROM flows f
    JOIN flow_versions v ON v.organization_id = f.organization_id AND v.flow_id = f.id AND v.version = f.version
   WHERE f.active AND f.deleted_at IS NULL AND v.graph @> '{"nodes": [{"type": "code"}]}') AS found`,
  columns: { found: boolean },
});

/** Whether any flow that can be run holds code. */
export async function hasCodeFlows(db: Db): Promise<boolean> {
  const { rows } = await db.query(HAS_CODE_FLOWS());
  return rows[0]!.found;
}
