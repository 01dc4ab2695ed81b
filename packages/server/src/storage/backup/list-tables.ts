import { assumed, bigint, text, texts } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";

/** Not those that say what the schema is, who lives right now, and what may be lost. */
const LIST_TABLES = statement({
  text: `SELECT c.relname::text AS name,
            ARRAY(SELECT a.attname::text FROM pg_attribute a
                   WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' ORDER BY a.attnum) AS columns,
            ARRAY(SELECT DISTINCT f.relname::text FROM pg_constraint k JOIN pg_class f ON f.oid = k.confrelid
                   WHERE k.conrelid = c.oid AND k.contype = 'f' AND f.oid <> c.oid) AS needs
       FROM pg_class c
      WHERE c.relnamespace = to_regnamespace(quote_ident(current_schema())) AND c.relkind = 'r' AND c.relpersistence = 'p'
        AND c.relname NOT IN ('millrace_migrations', 'millrace_functions', 'processes')
      ORDER BY c.relname`,
  columns: {
    name: text,
    /** Those that are stored, in their order. */
    columns: texts,
    /** Tables whose rows its own rows name. */
    needs: texts,
  },
});

export type StoredTable = Row<typeof LIST_TABLES>;

/** Each after those it needs. */
export async function listTables(db: Db): Promise<StoredTable[]> {
  const left = new Map((await db.query(LIST_TABLES())).rows.map((table) => [table.name, table]));
  const ordered: StoredTable[] = [];
  while (left.size > 0) {
    const free = [...left.values()].filter(({ needs }) => !needs.some((name) => left.has(name)));
    if (free.length === 0) throw new Error(`The tables ${[...left.keys()].join(", ")} need each other.`);
    for (const table of free) left.delete(table.name);
    ordered.push(...free);
  }
  return ordered;
}

const LIST_SEQUENCES = statement({
  text: `SELECT sequencename::text AS name, last_value AS last FROM pg_sequences
      WHERE schemaname = current_schema() AND last_value IS NOT NULL ORDER BY sequencename`,
  columns: { name: text, last: assumed(bigint) },
});

export type StoredSequence = Row<typeof LIST_SEQUENCES>;

export async function listSequences(db: Db): Promise<StoredSequence[]> {
  return (await db.query(LIST_SEQUENCES())).rows;
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
