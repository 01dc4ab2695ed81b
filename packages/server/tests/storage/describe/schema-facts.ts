import type { Client } from "pg";
import { type Node, parseNodeTree } from "./node-tree.ts";

/** What the schema says of tables, views and functions. */
export interface SchemaFacts {
  isNotNull(tableId: number, column: number): boolean;
  /** What a CHECK lets a column be, where there is such a list. */
  valuesOf(tableId: number, column: number): ReadonlySet<string> | undefined;
  /** The query of a view. */
  viewQuery(tableId: number): Node | undefined;
  functionName(id: number): string | undefined;
  operatorName(id: number): string | undefined;
}

export async function readSchemaFacts(client: Client): Promise<SchemaFacts> {
  const columns = await client.query<{ key: string }>(
    `SELECT attrelid || '.' || attnum AS key FROM pg_attribute WHERE attnotnull`,
  );
  const checks = await client.query<{ key: string; definition: string }>(
    `SELECT conrelid || '.' || conkey[1] AS key, pg_get_constraintdef(oid) AS definition
       FROM pg_constraint WHERE contype = 'c' AND cardinality(conkey) = 1`,
  );
  const views = await client.query<{ id: number; tree: string }>(
    `SELECT ev_class AS id, ev_action::text AS tree FROM pg_rewrite WHERE rulename = '_RETURN'`,
  );
  const functions = await client.query<{ id: number; name: string }>(
    `SELECT oid AS id, proname AS name FROM pg_proc`,
  );
  const operators = await client.query<{ id: number; name: string }>(
    `SELECT oid AS id, oprname AS name FROM pg_operator`,
  );

  const notNull = new Set(columns.rows.map(({ key }) => key));
  const values = new Map<string, ReadonlySet<string>>();
  for (const { key, definition } of checks.rows) {
    const [, list] = /^CHECK \(\(\w+ = ANY \(ARRAY\[(.+)\]\)\)\)$/.exec(definition) ?? [];
    if (list) values.set(key, new Set([...list.matchAll(/'([^']*)'::text/g)].map(([, value]) => value!)));
  }
  const viewTrees = new Map(views.rows.map(({ id, tree }) => [id, tree]));
  const functionNames = new Map(functions.rows.map(({ id, name }) => [id, name]));
  const operatorNames = new Map(operators.rows.map(({ id, name }) => [id, name]));
  return {
    isNotNull: (tableId, column) => notNull.has(`${tableId}.${column}`),
    valuesOf: (tableId, column) => values.get(`${tableId}.${column}`),
    viewQuery: (tableId) => {
      const tree = viewTrees.get(tableId);
      return tree === undefined ? undefined : (parseNodeTree(tree) as readonly Node[])[0];
    },
    functionName: (id) => functionNames.get(id),
    operatorName: (id) => operatorNames.get(id),
  };
}
