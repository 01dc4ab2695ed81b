import { stat } from "node:fs/promises";
import type { Config } from "../config/settings.ts";
import { embeddedPaths } from "../storage/embedded/paths.ts";
import { migrate, pendingNames, readSchemaState } from "../storage/migrate.ts";
import { type Database, openDatabase } from "../storage/open-database.ts";
import { readSchemaFiles } from "../storage/schema-files.ts";
import type { CliDependencies } from "./cli.ts";

const POOL_SIZE = 2;
const ANSWER_TIMEOUT_MS = 60_000;

/**
 * Beside a running service a command joins its built-in PostgreSQL; alone it starts the one that is there for its own time.
 * It makes one only where that was said.
 */
export function makeWithDatabase(
  loadConfig: () => Config,
  mayCreate: () => boolean = () => false,
): CliDependencies["withDatabase"] {
  return async (command, work, { anySchema = false } = {}) => {
    const config = loadConfig();
    if (!anySchema && !mayCreate()) await requireDatabase(config);
    const database = await openDatabase(
      { ...config, poolSize: POOL_SIZE },
      { command, shared: true, answerTimeoutMs: ANSWER_TIMEOUT_MS },
    );
    try {
      if (database.embedded) await migrate(database.pool);
      else if (!anySchema) await checkSchema(database);
      return await work(database);
    } finally {
      await database.close();
    }
  };
}

async function requireDatabase({ databaseUrl, dataDirectory }: Config): Promise<void> {
  if (databaseUrl !== undefined) return;
  const { initialised, directory } = embeddedPaths(dataDirectory);
  if (await stat(initialised).catch(() => undefined)) return;
  throw new Error(
    `There is no Millrace in ${directory}. Start one with "millrace start", name the database with DATABASE_URL or the data directory with MILLRACE_DATA_DIR, or say --database to make one here.`,
  );
}

async function checkSchema({ pool }: Database): Promise<void> {
  if (pendingNames(await readSchemaState(pool, await readSchemaFiles())).length > 0) {
    throw new Error("The schema of the database is older than this release; run: millrace migrate");
  }
}
