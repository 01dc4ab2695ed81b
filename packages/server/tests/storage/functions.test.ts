import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { raiseRevisions, readRevisions, renderRevisions } from "../../../../scripts/raise-sql-revisions.ts";
import { migrate } from "../../src/storage/migrate.ts";
import { createPool } from "../../src/storage/pool.ts";
import { readSchemaFiles, type SchemaFiles, type SqlFunction } from "../../src/storage/schema-files.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

let database: TestDatabase;
let files: SchemaFiles;
beforeAll(async () => {
  database = await createTestDatabase();
  files = await readSchemaFiles();
});
afterAll(() => database.drop());

const greeting = (revision: number, word: string): SqlFunction => ({
  name: "greeting",
  revision,
  hash: word,
  sql: `CREATE OR REPLACE FUNCTION greeting() RETURNS text LANGUAGE sql AS 'SELECT ''${word}'''`,
});
/** Held by a test while processes shall come no further. */
const GATE = 7_301;
const release = (...functions: SqlFunction[]): SchemaFiles => ({ ...files, functions });
const greet = async () => (await database.pool.query(`SELECT greeting() AS word`)).rows[0].word;

describe("functions of the database", () => {
  it("are replaced when their text has changed, and left alone otherwise", async () => {
    expect(await migrate(database.pool, release(greeting(1, "hello")))).toEqual(["greeting.sql"]);
    expect(await migrate(database.pool, release(greeting(1, "hello")))).toEqual([]);
    expect(await migrate(database.pool, release(greeting(2, "welcome")))).toEqual(["greeting.sql"]);
    expect(await greet()).toBe("welcome");
  });

  it("stay those of the newer release when an older one starts later", async () => {
    expect(await migrate(database.pool, release(greeting(1, "hello")))).toEqual([]);
    expect(await greet()).toBe("welcome");
  });

  it("can be edited as often as one likes before a release raises their number", async () => {
    expect(await migrate(database.pool, release(greeting(2, "ahoy")))).toEqual(["greeting.sql"]);
    expect(await greet()).toBe("ahoy");
  });

  it("come in one transaction with the migrations: where one fails, nothing has changed", async () => {
    const broken = { version: 9_100, name: "9100_broken.sql", sql: `CREATE TABLE half (id integer)` };
    const fault: SqlFunction = { ...greeting(3, "oops"), sql: `CREATE OR REPLACE FUNCTION greeting(` };
    const next = { migrations: [...files.migrations, broken], functions: [fault] };
    await expect(migrate(database.pool, next)).rejects.toThrow("syntax error");
    const { rows } = await database.pool.query(`SELECT to_regclass('half') AS half`);
    expect(rows).toEqual([{ half: null }]);
    expect(await greet()).toBe("ahoy");
  });

  it("are applied once by several processes that start at the same moment", async () => {
    const pools = Array.from({ length: 4 }, () =>
      createPool({ connection: database.connection, size: 1, applicationName: "migrating" }),
    );
    const held = greeting(4, "hey");
    const hold = await database.pool.connect();
    try {
      await hold.query(`SELECT pg_advisory_lock(${GATE})`);
      const sql = `SELECT pg_advisory_xact_lock_shared(${GATE}); ${held.sql}`;
      const migrating = Promise.all(pools.map((pool) => migrate(pool, release({ ...held, sql }))));
      // Each is at the gate, or waits for whoever is.
      await expect
        .poll(
          async () =>
            (
              await database.pool.query(
                `SELECT count(*) AS there FROM pg_stat_activity
                  WHERE application_name = 'migrating' AND query ~ 'pg_try_advisory_lock|pg_advisory_xact_lock_shared'`,
              )
            ).rows[0].there,
        )
        .toBe(pools.length);
      await hold.query(`SELECT pg_advisory_unlock(${GATE})`);
      expect((await migrating).flat()).toEqual(["greeting.sql"]);
    } finally {
      hold.release(true);
      await Promise.all(pools.map((pool) => pool.end()));
    }
    expect(await greet()).toBe("hey");
  });
});

describe("sql/revisions.json", () => {
  it("is as `npm run sql` writes it: whoever changes a function raises its number", () => {
    const known = readRevisions();
    expect(renderRevisions(raiseRevisions(known, files.functions))).toBe(renderRevisions(known));
  });

  it("raises the number of what has changed, begins with one, and forgets none", () => {
    const known = { gone: { revision: 3, hash: "c" }, greeting: { revision: 2, hash: "hello" } };
    expect(raiseRevisions(known, [greeting(2, "welcome"), { ...greeting(1, "a"), name: "bow" }])).toEqual({
      bow: { revision: 1, hash: "a" },
      gone: { revision: 3, hash: "c" },
      greeting: { revision: 3, hash: "welcome" },
    });
    expect(raiseRevisions(known, [greeting(2, "hello")])).toEqual(known);
  });
});
