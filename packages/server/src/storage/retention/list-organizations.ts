import { boolean, text } from "../columns.ts";
import type { Db } from "../pool.ts";
import { statement } from "../statement.ts";

const LIST_ORGANIZATIONS_TO_TIDY = statement({
  text: `SELECT id, credits_limited AS "creditsLimited" FROM organizations ORDER BY id`,
  columns: { id: text, creditsLimited: boolean },
});

export async function listOrganizationsToTidy(db: Db): Promise<{ id: string; creditsLimited: boolean }[]> {
  const { rows } = await db.query(LIST_ORGANIZATIONS_TO_TIDY());
  return rows;
}
