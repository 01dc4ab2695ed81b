import { createHash } from "node:crypto";
import { readFile, readdir } from "node:fs/promises";

/** Changes a table, a type or stored rows. Applied once, in order, and never edited after a release. */
interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
}

/** A function as it is now. Applied again whenever its text has changed. */
export interface SqlFunction {
  readonly name: string;
  readonly sql: string;
  readonly hash: string;
  /** Rises with every change, so that an older release that starts later leaves a newer text alone. */
  readonly revision: number;
}

/** Everything a release brings to the database. */
export interface SchemaFiles {
  readonly migrations: readonly Migration[];
  readonly functions: readonly SqlFunction[];
}

/** `sql/revisions.json`, written by `npm run sql`. */
export type Revisions = Readonly<Record<string, { readonly revision: number; readonly hash: string }>>;

const packageUrl = new URL("../../", import.meta.url);

export async function readSchemaFiles(directory: URL = packageUrl): Promise<SchemaFiles> {
  const [migrations, functions] = await Promise.all([readMigrations(directory), readFunctions(directory)]);
  return { migrations, functions };
}

async function readMigrations(directory: URL): Promise<Migration[]> {
  const files = await readSqlFiles(new URL("migrations/", directory));
  return files
    .filter(({ name }) => /^\d{4}_/.test(name))
    .map(({ name, sql }) => ({ version: Number(name.slice(0, 4)), name, sql }));
}

async function readFunctions(directory: URL): Promise<SqlFunction[]> {
  const folder = new URL("sql/", directory);
  const revisions = JSON.parse(await readFile(new URL("revisions.json", folder), "utf8")) as Revisions;
  const files = await readSqlFiles(folder);
  return files.map(({ name: file, sql }) => {
    const name = file.slice(0, -".sql".length);
    checkFunction(name, sql);
    return { name, sql, hash: hashOf(sql), revision: revisions[name]?.revision ?? 1 };
  });
}

async function readSqlFiles(folder: URL): Promise<{ name: string; sql: string }[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  return Promise.all(
    names.map(async (name) => ({ name, sql: await readFile(new URL(name, folder), "utf8") })),
  );
}

/** Replaced in place: a function that is dropped and made again is missing for whoever has just planned a call of it. */
function checkFunction(name: string, sql: string): void {
  const made = sql.match(/^CREATE OR REPLACE FUNCTION (\w+)\(/gm);
  if (made?.length !== 1 || made[0] !== `CREATE OR REPLACE FUNCTION ${name}(`)
    throw new Error(`sql/${name}.sql must have one CREATE OR REPLACE FUNCTION ${name}(…) and nothing else.`);
}

function hashOf(sql: string): string {
  return createHash("sha256").update(sql).digest("hex").slice(0, 16);
}
