import { integer } from "./columns.ts";
import type { Db } from "./pool.ts";
import { statement } from "./statement.ts";

const PING = statement({ text: `SELECT 1 AS one`, columns: { one: integer } });

/** Whether the database answers. */
export async function ping(db: Db): Promise<boolean> {
  const { rows } = await db.query(PING());
  return rows.length === 1;
}
