import { integer, text, timestamp } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";

const READ_SERVER = statement({
  text: `SELECT current_setting('server_version_num')::integer AS "versionNumber",
            current_setting('server_version') AS version, clock_timestamp() AS now`,
  columns: {
    /** As PostgreSQL counts: 180004 is 18.4. */
    versionNumber: integer,
    version: text,
    now: timestamp,
  },
});

export type DatabaseServer = Row<typeof READ_SERVER>;

export async function readServer(db: Db): Promise<DatabaseServer> {
  const { rows } = await db.query(READ_SERVER());
  return rows[0]!;
}
