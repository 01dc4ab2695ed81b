import type { Config } from "../config/settings.ts";
import { migrate, pendingNames, readSchemaState } from "../storage/migrate.ts";
import { type Database, openDatabase } from "../storage/open-database.ts";
import { readSchemaFiles } from "../storage/schema-files.ts";
import type { CliDependencies } from "./cli.ts";

const POOL_SIZE = 2;
const ANSWER_TIMEOUT_MS = 60_000;

/** Beside a running service a command joins its built-in PostgreSQL; alone it starts one for its own time. */
export function makeWithDatabase(loadConfig: () => Config): CliDependencies["withDatabase"] {
  return async (command, work, { anySchema = false } = {}) => {
    const database = await openDatabase(
      { ...loadConfig(), poolSize: POOL_SIZE },
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

async function checkSchema({ pool }: Database): Promise<void> {
  if (pendingNames(await readSchemaState(pool, await readSchemaFiles())).length > 0) {
    throw new Error("The schema of the database is older than this release; run: millrace migrate");
  }
}
