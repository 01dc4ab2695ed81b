import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { JsonText } from "../../src/domain/json-text.ts";
import { integerArray, textArray } from "../../src/storage/text-array.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

describe("a list of texts in PostgreSQL's own format", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase(1);
  });
  afterAll(() => database.drop());

  test.each([
    ["nothing", []],
    ["texts", ["a", "", 'with "quotes"', "back\\slash", "{1,2}", "NULL", "ğü 😀", "line\nbreak"]],
    ["nulls", [null, "a", null]],
    ["only nulls", [null]],
    ["a megabyte of quotes", ['"'.repeat(1_000_000)]],
  ])("brings back what it was given: %s", async (_name, texts) => {
    const { rows } = await database.pool.query("SELECT $1::text[] AS texts", [textArray(texts)]);
    expect(rows[0].texts).toEqual(texts);
  });

  test("puts together what was written in pieces", async () => {
    const texts = [
      new JsonText(["[1", ',"ğü', '😀"]'].map((piece) => Buffer.from(piece))),
      null,
      "a",
      new JsonText([]),
    ];
    const { rows } = await database.pool.query("SELECT $1::text[] AS texts", [textArray(texts)]);
    expect(rows[0].texts).toEqual(['[1,"ğü😀"]', null, "a", ""]);
  });

  test.each([[[]], [[0, -1, 2_147_483_647]]])("integers too: %j", async (integers) => {
    const { rows } = await database.pool.query("SELECT $1::integer[] AS integers", [integerArray(integers)]);
    expect(rows[0].integers).toEqual(integers);
  });
});
