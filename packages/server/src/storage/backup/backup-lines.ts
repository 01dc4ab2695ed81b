import { readSchemaState } from "../migrate.ts";
import { COMMIT, type Db, type Pool, ROLLBACK } from "../pool.ts";
import { readSchemaFiles } from "../schema-files.ts";
import { statement, tableCall } from "../statement.ts";
import { listSequences, listTables, quoted } from "./list-tables.ts";

export const BACKUP_FORMAT = "millrace-backup-1";

const BEGIN_SNAPSHOT = statement({ text: `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY` });
const ROWS_AT_ONCE = 500;

/**
 * Everything that is stored, as lines of JSON: a head, for each table a line that names it and one for each of its rows, the
 * sequences, and how many rows there were. All of it is of one moment, while the service goes on. A row is what
 * PostgreSQL writes of it, so no value of any type is changed on the way.
 */
export async function* backupLines(pool: Pool): AsyncGenerator<string> {
  const client = await pool.connect();
  let isWhole = false;
  try {
    await client.query(BEGIN_SNAPSHOT());
    const { version } = await readSchemaState(client, await readSchemaFiles());
    yield JSON.stringify({ format: BACKUP_FORMAT, schema: version });
    let rows = 0;
    for (const { name } of await listTables(client)) {
      yield JSON.stringify({ table: name });
      for await (const row of rowsOf(client, name)) {
        rows += 1;
        yield JSON.stringify(row);
      }
    }
    yield JSON.stringify({ sequences: await listSequences(client) });
    yield JSON.stringify({ rows });
    await client.query(COMMIT());
    isWhole = true;
  } finally {
    if (!isWhole) await client.query(ROLLBACK()).catch(() => {});
    client.release(!isWhole);
  }
}

async function* rowsOf(db: Db, table: string): AsyncGenerator<string> {
  await db.query(
    tableCall(`DECLARE backup NO SCROLL CURSOR FOR SELECT t::text AS row FROM ${quoted(table)} AS t`),
  );
  for (;;) {
    const { rows } = await db.query(
      tableCall<{ readonly row: string }>(`FETCH FORWARD ${ROWS_AT_ONCE} FROM backup`),
    );
    for (const { row } of rows) yield row;
    if (rows.length < ROWS_AT_ONCE) break;
  }
  await db.query(tableCall(`CLOSE backup`));
}
