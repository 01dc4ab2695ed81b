import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase(2);
});
afterAll(() => database.drop());

const large = { list: Array.from({ length: 30_000 }, (_, at) => ({ at, text: "ğ" })) };
const query = "SELECT $1::json AS json, $1::jsonb AS jsonb, $2::json AS small, NULL::json AS none";
const values = [JSON.stringify(large), '{"a": 1}'];
const expected = { json: large, jsonb: large, small: { a: 1 }, none: null };

test("large JSON comes as a value, like any other", async () => {
  expect((await database.pool.query(query, values)).rows).toEqual([expected]);
});

test("in a transaction too, and many at once", async () => {
  const client = await database.pool.connect();
  try {
    expect((await client.query(query, values)).rows).toEqual([expected]);
  } finally {
    client.release();
  }
  const all = await Promise.all(Array.from({ length: 6 }, () => database.pool.query(query, values)));
  for (const { rows } of all) expect(rows).toEqual([expected]);
});

test("it is never parsed in one go", async () => {
  const parse = vi.spyOn(JSON, "parse");
  try {
    await database.pool.query(query, values);
    const lengths = parse.mock.calls.map(([text]) => text.length);
    expect(lengths.length).toBeGreaterThan(10);
    expect(Math.max(...lengths)).toBeLessThan(values[0]!.length / 4);
  } finally {
    parse.mockRestore();
  }
});

test("nor are many small values that come together", async () => {
  const parse = vi.spyOn(JSON, "parse");
  let lengthInTurn = 0;
  let longest = 0;
  parse.mockImplementation((text: string) => {
    if (lengthInTurn === 0) setImmediate(() => (lengthInTurn = 0));
    lengthInTurn += text.length;
    longest = Math.max(longest, lengthInTurn);
    return text.length;
  });
  try {
    const many = `SELECT json_build_object('text', repeat('x', 5000)) AS json FROM generate_series(1, 1000)`;
    const { rows } = await database.pool.query(many);
    expect(rows.length).toBe(1_000);
    expect(rows.every(({ json }) => typeof json === "number")).toBe(true);
    // What the driver reads itself, and what is read afterwards.
    expect(longest).toBeLessThan(300_000);
  } finally {
    parse.mockRestore();
  }
});

test("an error after large rows is an error, and the connection goes on", async () => {
  const failing = "SELECT $1::json AS json, 1 / (2 - n) AS fault FROM generate_series(1, 2) AS n";
  await expect(database.pool.query(failing, [values[0]])).rejects.toThrow("division by zero");
  expect((await database.pool.query(query, values)).rows).toEqual([expected]);
});
