import { bigint } from "../columns.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

const COUNT_ORGANIZATIONS = statement({
  text: `SELECT count(*) AS count FROM organizations`,
  columns: { count: bigint },
});

export async function countOrganizations(db: Db): Promise<number> {
  const { rows } = await db.query(COUNT_ORGANIZATIONS());
  return rows[0]!.count;
}
