import type { Db } from "../pool.ts";

export interface DatabaseServer {
  /** As PostgreSQL counts: 180004 is 18.4. */
  readonly versionNumber: number;
  readonly version: string;
  readonly now: Date;
}

export async function readServer(db: Db): Promise<DatabaseServer> {
  const { rows } = await db.query<DatabaseServer>(
    `SELECT current_setting('server_version_num')::integer AS "versionNumber",
            current_setting('server_version') AS version, clock_timestamp() AS now`,
  );
  return rows[0]!;
}
