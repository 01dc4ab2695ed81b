import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  assumed,
  bigint,
  boolean,
  integer,
  oneOf,
  orNull,
  text,
  timestamp,
} from "../../src/storage/columns.ts";
import { type Declaration, declaredStatements } from "../../src/storage/statement.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import "../support/load-statements.ts";
import { complaintsAbout } from "./describe/complaints.ts";
import { describeStatement } from "./describe/describe-statement.ts";
import { readSchemaFacts, type SchemaFacts } from "./describe/schema-facts.ts";

let database: TestDatabase;
let client: Client;
let schema: SchemaFacts;

beforeAll(async () => {
  database = await createTestDatabase(1);
  client = new Client(database.connection);
  await client.connect();
  schema = await readSchemaFacts(client);
});

afterAll(async () => {
  await client.end();
  await database.drop();
});

async function complaints({ text, columns }: Pick<Declaration, "text" | "columns">): Promise<string[]> {
  const described = await describeStatement(client, text, schema).catch((error: Error) => error);
  return described instanceof Error ? [described.message] : complaintsAbout(columns, described);
}

it("every statement returns the columns it declares: their names, types, values and whether they may be NULL", async () => {
  const found: string[] = [];
  for (const statement of declaredStatements())
    for (const complaint of await complaints(statement))
      found.push(
        `${complaint} in ${statement.name ?? ""} ${statement.text.replaceAll(/\s+/g, " ").slice(0, 120)}`,
      );
  expect(found).toEqual([]);
  expect(declaredStatements().length).toBeGreaterThan(100);
});

it("no two statements share a name", () => {
  const names = declaredStatements().flatMap(({ name }) => name ?? []);
  expect(names).toEqual([...new Set(names)]);
});

const FLOW = `SELECT f.id, f.slug, f.created_at AS at FROM flows f`;

it.each([
  ["what it is declared to be", FLOW, { id: text, slug: orNull(text), at: timestamp }, []],
  [
    "a missing column",
    FLOW,
    { id: text, slug: orNull(text) },
    ["declares (id, slug) but returns (at, id, slug)"],
  ],
  [
    "another type",
    `SELECT count(*) FROM flows`,
    { count: integer },
    ['"count" is bigint and declared integer'],
  ],
  [
    "a column that may be NULL",
    `SELECT slug FROM flows`,
    { slug: text },
    ['"slug" may be NULL for all the schema knows'],
  ],
  [
    "a column that is never NULL",
    `SELECT id FROM flows`,
    { id: orNull(text) },
    ['"id" is never NULL, and declared so that it may be'],
  ],
  [
    "the side of an outer join that may be missing",
    `SELECT w.enabled FROM flows f LEFT JOIN flow_webhooks w ON w.flow_id = f.id`,
    { enabled: boolean },
    ['"enabled" may be NULL for all the schema knows'],
  ],
  [
    "a branch of a UNION",
    `WITH made AS (INSERT INTO users (id, email, name) VALUES ($1, $2, $3) RETURNING id, name) SELECT id FROM made UNION ALL SELECT slug FROM flows`,
    { id: text },
    ['"id" may be NULL for all the schema knows'],
  ],
  [
    "a sub-query without rows",
    `SELECT (SELECT id FROM users LIMIT 1) AS id, (SELECT count(*) FROM users) AS users`,
    { id: text, users: bigint },
    ['"id" may be NULL for all the schema knows'],
  ],
  [
    "a value that is not declared",
    `SELECT scope FROM api_keys`,
    { scope: oneOf("org") },
    ['"scope" may be any of org, user'],
  ],
  [
    "a value that cannot be",
    `SELECT CASE WHEN active THEN 'on' ELSE 'off' END AS is FROM flows`,
    { is: oneOf("on", "off", "broken") },
    ['"is" can only be on, off'],
  ],
  [
    "values that nothing limits",
    `SELECT name FROM flows`,
    { name: oneOf("one") },
    ['"name" may be any text for all the schema knows'],
  ],
  ["what is assumed", `SELECT slug FROM flows`, { slug: assumed(text) }, []],
  [
    "what is assumed in vain",
    `SELECT id FROM flows`,
    { id: assumed(text) },
    ['"id" is assumed to be what the schema guarantees anyway'],
  ],
  ["a statement that is wrong", `SELECT nothing FROM flows`, {}, ['column "nothing" does not exist']],
])("finds %s", async (_, text, columns, expected) => {
  expect(await complaints({ text, columns })).toEqual(expected);
});

it("has columns that the driver reads as the values they are typed as", async () => {
  const { rows } = await database.pool.query(
    `SELECT 'x' AS text, 1 AS integer, (2^40)::bigint AS bigint, 1.5::float8 AS float, 1.5 AS numeric, true AS boolean,
            now() AS timestamp, '\\x00'::bytea AS bytes, '{a}'::text[] AS texts,
            '{"a":1}'::json AS json, '{"a":1}'::jsonb AS jsonb`,
  );
  expect(rows).toEqual([
    {
      text: "x",
      integer: 1,
      bigint: 2 ** 40,
      float: 1.5,
      numeric: "1.5",
      boolean: true,
      timestamp: expect.any(Date),
      bytes: Buffer.from([0]),
      texts: ["a"],
      json: { a: 1 },
      jsonb: { a: 1 },
    },
  ]);
});
