import { bigint, boolean, orNull } from "../columns.ts";
import { readSchemaState } from "../migrate.ts";
import { type Db, type Pool, transaction } from "../pool.ts";
import { readSchemaFiles } from "../schema-files.ts";
import { statement, tableCall } from "../statement.ts";
import { textArray } from "../text-array.ts";
import { BACKUP_FORMAT } from "./backup-lines.ts";
import { listTables, quoted, type StoredSequence, type StoredTable } from "./list-tables.ts";

const HAS_ORGANIZATIONS = statement({
  text: `SELECT EXISTS (SELECT FROM organizations) AS used`,
  columns: { used: boolean },
});
const SET_SEQUENCE = statement({
  text: `SELECT setval(quote_ident($1)::regclass, $2) AS last`,
  columns: { last: orNull(bigint) },
});

const MAX_ROWS_AT_ONCE = 1_000;
const MAX_CHARACTERS_AT_ONCE = 4_000_000;

/** Puts a backup into an empty database, all of it or nothing. Returns how many rows there were. */
export async function restoreLines(pool: Pool, lines: AsyncIterable<string>): Promise<number> {
  return transaction(pool, async (db) => {
    const { rows } = await db.query(HAS_ORGANIZATIONS());
    if (rows[0]!.used)
      throw new Error("The database is not empty; a backup is restored into one without organizations.");
    const state = await readSchemaState(db, await readSchemaFiles());
    return new Restore(db, await listTables(db)).take(lines, state.version);
  });
}

class Restore {
  readonly #db: Db;
  readonly #tables: ReadonlyMap<string, StoredTable>;
  #table: StoredTable | undefined;
  #rows: string[] = [];
  #characters = 0;
  #count = 0;
  #isWhole = false;

  constructor(db: Db, tables: readonly StoredTable[]) {
    this.#db = db;
    this.#tables = new Map(tables.map((table) => [table.name, table]));
  }

  async take(lines: AsyncIterable<string>, schema: number): Promise<number> {
    let isHead = true;
    for await (const line of lines) {
      const value = read(line);
      if (isHead) checkHead(value, schema);
      else if (typeof value === "string") await this.#row(value);
      else await this.#other(value as Record<string, unknown>);
      isHead = false;
    }
    if (!this.#isWhole)
      throw new Error("The backup ends too early: it was cut off when it was made or copied.");
    return this.#count;
  }

  async #row(row: string): Promise<void> {
    this.#rows.push(row);
    this.#characters += row.length;
    this.#count += 1;
    if (this.#rows.length >= MAX_ROWS_AT_ONCE || this.#characters >= MAX_CHARACTERS_AT_ONCE)
      await this.#flush();
  }

  async #other({ table, sequences, rows }: Record<string, unknown>): Promise<void> {
    await this.#flush();
    if (typeof table === "string") {
      this.#table = this.#tables.get(table);
      if (!this.#table) throw new Error(`The backup has a table ${table} that this release does not know.`);
    }
    for (const { name, last } of (sequences ?? []) as StoredSequence[])
      await this.#db.query(SET_SEQUENCE([name, last]));
    if (rows === undefined) return;
    if (rows !== this.#count)
      throw new Error(`The backup says ${JSON.stringify(rows)} rows, but has ${this.#count}.`);
    this.#isWhole = true;
  }

  async #flush(): Promise<void> {
    if (this.#rows.length === 0) return;
    if (!this.#table) throw new Error("The backup is damaged: it has rows of no table.");
    const { name, columns } = this.#table;
    const of = columns.map((column) => `(r.v).${quoted(column)}`).join(", ");
    await this.#db.query(
      tableCall(
        `INSERT INTO ${quoted(name)} (${columns.map(quoted).join(", ")}) OVERRIDING SYSTEM VALUE
         SELECT ${of} FROM (SELECT line::${quoted(name)} AS v FROM unnest($1::text[]) AS line OFFSET 0) AS r`,
        [textArray(this.#rows)],
      ),
    );
    this.#rows = [];
    this.#characters = 0;
  }
}

function read(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new Error("The backup is damaged: a line of it is no JSON.");
  }
}

function checkHead(value: unknown, schema: number): void {
  const { format, schema: ofBackup } = (value ?? {}) as { format?: unknown; schema?: unknown };
  if (format !== BACKUP_FORMAT) throw new Error("The file is no backup of Millrace.");
  if (ofBackup !== schema)
    throw new Error(
      `The backup has version ${String(ofBackup)} of the schema and the database ${schema}: restore with the release that made it, then update.`,
    );
}
