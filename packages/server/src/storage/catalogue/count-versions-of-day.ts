import { integer } from "../columns.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

const COUNT_VERSIONS_OF_DAY = statement({
  text: `SELECT coalesce(max(split_part(version, '.', 2)::integer), 0) AS latest
     FROM flow_versions
     WHERE organization_id = $1 AND flow_id = $2 AND starts_with(version, $3 || '.')`,
  columns: { latest: integer },
});

/** The highest N among the flow's versions `day.N`, 0 where there is none. */
export async function countVersionsOfDay(
  db: Db,
  organizationId: string,
  flowId: string,
  day: string,
): Promise<number> {
  const { rows } = await db.query(COUNT_VERSIONS_OF_DAY([organizationId, flowId, day]));
  return rows[0]!.latest;
}
