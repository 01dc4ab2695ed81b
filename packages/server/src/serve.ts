import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "./config/settings.ts";
import type { ServiceRole } from "./compose/foundation.ts";
import type { TestStall } from "./config/test-stall.ts";
import { collectFirst, limitHeapGrowth } from "./lifecycle/heap-growth.ts";
import { supervisorOf } from "./lifecycle/supervised.ts";
import { makeTestStall } from "./lifecycle/watchdog/test-stall.ts";
import { startWatchdog } from "./lifecycle/watchdog/watchdog.ts";
import { startService } from "./service.ts";
import { migrate, pendingNames, readSchemaState } from "./storage/migrate.ts";
import { readSchemaFiles } from "./storage/schema-files.ts";
import { type Database, openDatabase } from "./storage/open-database.ts";
import { isDatabaseUnavailable } from "./storage/pool.ts";
import { createLogger, type Logger } from "./telemetry/logger.ts";

export interface ServeOptions {
  readonly config: Config;
  readonly role: ServiceRole;
  readonly stdout: (text: string) => void;
  readonly terminal: boolean;
  readonly testStall?: TestStall | undefined;
  /** Fills an empty database, and says how to try what is in it; no more than it has to once the signal is aborted. */
  readonly welcome: (database: Database, address: string, stopping: AbortSignal) => Promise<void>;
}

// A database that answers later than this counts as unavailable: callers hear so within three seconds.
const ANSWER_TIMEOUT_MS = 2_500;
const MAX_STOP_MS = 30_000;
const MAX_DATABASE_WAIT_MS = 30_000;
const DATABASE_PAUSE_MS = 1_000;
const UNHANDLED = "an error went unhandled; please report it";

/** Runs the service until a signal ends it. */
export async function serve(options: ServeOptions): Promise<void> {
  const { config, role, stdout, terminal, welcome } = options;
  const supervisor = supervisorOf(process);
  // From the first moment: a signal that comes while PostgreSQL starts must stop that too.
  const signalled = untilSignal();
  supervisor.tell("starting");
  limitHeapGrowth();
  const logger = createLogger({ level: config.logLevel, format: config.logFormat, terminal });
  // A fault in the work for one caller; it is no reason to end everybody else's.
  process.on("unhandledRejection", (err) => logger.error({ err }, UNHANDLED));
  const database = await openDatabase(config, {
    command: role === "all" ? "start" : role,
    shared: role !== "all",
    answerTimeoutMs: ANSWER_TIMEOUT_MS,
    onError: (error) => logger.warn({ err: error }, "a database connection was lost"),
    pid: supervisor.pid,
  });
  const stopping = new AbortController();
  void signalled.then(() => {
    stopping.abort();
    database.announce({ leaving: true });
  });
  const processId = randomUUID();
  const watchdog = startWatching(processId, options);
  try {
    const begin = async () => {
      await prepareSchema(database, role, logger);
      await collectFirst();
      return startService({ config, role, database, logger, processId });
    };
    const service = await whenDatabaseAnswers(begin, logger, stopping.signal);
    try {
      logger.info({ role, address: service.address }, "Millrace is running");
      supervisor.tell("running");
      // Words for whoever started it: a service that runs goes on without them.
      if (role === "all")
        await welcome(database, service.address, stopping.signal).catch((error: unknown) =>
          logger.warn({ err: error }, "the demo workspace or the sign-in link could not be made"),
        );
      const signal = await signalled;
      logger.info({ signal }, "stopping");
      stdout("");
    } finally {
      await service.stop();
    }
  } finally {
    await database.close();
    await watchdog?.stop();
  }
}

function startWatching(processId: string, { config, terminal, testStall }: ServeOptions) {
  const { stallLimitMs: limitMs, databaseUrl, dataDirectory, logFormat: format } = config;
  if (limitMs === 0) return undefined;
  return startWatchdog(
    { limitMs, processId, databaseUrl, dataDirectory, log: { format, terminal } },
    makeTestStall(testStall),
  );
}

/** Both may have been started at the same moment, or by a machine that has no time. */
async function whenDatabaseAnswers<T>(
  begin: () => Promise<T>,
  logger: Logger,
  stopping: AbortSignal,
): Promise<T> {
  const deadlineMs = performance.now() + MAX_DATABASE_WAIT_MS;
  for (;;) {
    try {
      return await begin();
    } catch (error) {
      if (!isDatabaseUnavailable(error) || stopping.aborted || performance.now() > deadlineMs) throw error;
      logger.warn({ err: error }, "the database does not answer yet; trying again");
      await sleep(DATABASE_PAUSE_MS, undefined, { signal: stopping }).catch(() => {});
    }
  }
}

async function prepareSchema(database: Database, role: ServiceRole, logger: Logger): Promise<void> {
  if (role === "all" || database.embedded) {
    const applied = await migrate(database.pool);
    if (applied.length > 0) logger.info({ migrations: applied }, "the schema was brought up to date");
    return;
  }
  const missing = pendingNames(await readSchemaState(database.pool, await readSchemaFiles()));
  if (missing.length > 0)
    throw new Error(
      `The database lacks what this release needs (${missing.join(", ")}); run: millrace migrate`,
    );
}

/** The first signal asks; a second one, or half a minute without an end, insists. */
async function untilSignal(): Promise<string> {
  return new Promise((resolve) => {
    const onSignal = (signal: string) => {
      for (const again of ["SIGINT", "SIGTERM"]) process.once(again, () => process.exit(1));
      setTimeout(() => process.exit(1), MAX_STOP_MS).unref();
      resolve(signal);
    };
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, onSignal);
  });
}
