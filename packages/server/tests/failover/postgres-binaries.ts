import { accessSync, constants, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { execFileSync } from "node:child_process";
import { findPostgresBinaries, type PostgresBinaries } from "../../src/storage/embedded/binaries.ts";

export interface PostgresKind {
  readonly name: string;
  readonly binaries: PostgresBinaries;
}

const OLDEST = 15;
const DEBIAN_ROOT = "/usr/lib/postgresql";

export const builtIn: PostgresKind = { name: "the built-in PostgreSQL", binaries: findPostgresBinaries() };

/** The oldest PostgreSQL of the system that Millrace supports; where there is none, what to install. */
export function findSystemPostgres(): PostgresKind | { missing: string } {
  const found = [...debianDirectories(), ...(process.env["PATH"] ?? "").split(delimiter)]
    .map((directory) => ({ initdb: join(directory, "initdb"), postgres: join(directory, "postgres") }))
    .filter((binaries) => Object.values(binaries).every(isExecutable))
    .map((binaries) => ({ binaries, version: versionOf(binaries.postgres) }))
    .filter(({ version }) => version >= OLDEST)
    .toSorted((a, b) => a.version - b.version)[0];
  if (!found) {
    return {
      missing: `no PostgreSQL ${OLDEST} or newer is installed on this machine (Debian 12: apt-get install postgresql-15)`,
    };
  }
  return { name: `PostgreSQL ${found.version} of the system`, binaries: found.binaries };
}

function debianDirectories(): string[] {
  try {
    return readdirSync(DEBIAN_ROOT).map((version) => join(DEBIAN_ROOT, version, "bin"));
  } catch {
    return [];
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function versionOf(postgres: string): number {
  const text = execFileSync(postgres, ["--version"], { encoding: "utf8" });
  return Number(/\) (\d+)/.exec(text)?.[1] ?? 0);
}
