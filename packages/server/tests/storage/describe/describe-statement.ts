import { Client, type Connection, type FieldDef } from "pg";
import { type Inferred, inferColumns } from "./infer.ts";
import { type Node, parseNodeTree } from "./node-tree.ts";
import type { SchemaFacts } from "./schema-facts.ts";

export interface DescribedColumn extends Inferred {
  readonly name: string;
  readonly type: string;
}

/** What PostgreSQL says of a statement without running it; null where it returns no rows. */
export async function describeStatement(
  client: Client,
  text: string,
  schema: SchemaFacts,
): Promise<DescribedColumn[]> {
  const { fields, parameterTypeIds } = await ask(client, text);
  if (fields.length === 0) return [];
  const types = await typeNames(
    client,
    fields.map(({ dataTypeID }) => dataTypeID),
  );
  const parameters = await typeNames(client, parameterTypeIds);
  const query = await parseTree(client, text, parameters);
  const inferred = inferColumns(query, schema);
  return fields.map(({ name }, at) => ({ name, type: types[at]!, ...inferred[at]! }));
}

interface Answer {
  fields: FieldDef[];
  parameterTypeIds: number[];
}

/** Parse and Describe of the extended protocol; the driver itself never stops after them. */
async function ask(client: Client, text: string): Promise<Answer> {
  const answer: Answer = { fields: [], parameterTypeIds: [] };
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const onParameters = ({ dataTypeIDs }: { dataTypeIDs: number[] }) =>
    (answer.parameterTypeIds = dataTypeIDs);
  client.connection.once("parameterDescription", onParameters);
  client.query({
    submit(connection: Connection) {
      connection.parse({ name: "", text, types: [] }, true);
      connection.describe({ type: "S", name: "" }, true);
      connection.sync();
    },
    handleRowDescription: ({ fields }: { fields: FieldDef[] }) => (answer.fields = fields),
    handleError: (error: Error) => reject(error),
    handleReadyForQuery: () => resolve(answer),
  } as never);
  try {
    return await promise;
  } finally {
    client.connection.off("parameterDescription", onParameters);
  }
}

async function typeNames(client: Client, ids: readonly number[]): Promise<string[]> {
  const { rows } = await client.query<{ names: string[] }>(
    `SELECT ARRAY(SELECT format_type(id, NULL) FROM unnest($1::oid[]) WITH ORDINALITY AS t(id, at) ORDER BY at) AS names`,
    [ids],
  );
  return rows[0]!.names;
}

/** The body of a function is kept as PostgreSQL understood it, with what joins and sub-queries do to each column. */
async function parseTree(client: Client, text: string, parameters: readonly string[]): Promise<Node> {
  await client.query("BEGIN");
  try {
    await client.query(
      `CREATE FUNCTION pg_temp.described(${parameters.join(", ")}) RETURNS SETOF record LANGUAGE sql BEGIN ATOMIC ${text}\n; END`,
    );
    const { rows } = await client.query<{ tree: string }>(
      `SELECT prosqlbody::text AS tree FROM pg_proc WHERE proname = 'described'`,
    );
    const [[query]] = parseNodeTree(rows[0]!.tree) as unknown as [[Node]];
    return query;
  } finally {
    await client.query("ROLLBACK");
  }
}
