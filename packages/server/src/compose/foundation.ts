import { randomUUID } from "node:crypto";
import type { Config } from "../config/settings.ts";
import { IdMaker } from "../domain/ids.ts";
import { nodeTypes } from "../engine/nodes/registry.ts";
import { type Duty, type RunningDuty, superviseDuty } from "../lifecycle/duty.ts";
import { Shutdown } from "../lifecycle/shutdown.ts";
import type { ChatSettings } from "../operations/agent-chat/chat-settings.ts";
import { FlowLibrary } from "../operations/flows/flow-library.ts";
import { DatabaseClock } from "../storage/database-clock.ts";
import type { Database } from "../storage/open-database.ts";
import { createPool, type Pool } from "../storage/pool.ts";
import type { SecretBox } from "../storage/secret-box.ts";
import type { Logger } from "../telemetry/logger.ts";
import { createMetrics, type Metrics } from "../telemetry/metrics.ts";
import { version } from "../version.ts";
import { RunChanges } from "./run-changes.ts";

export type ServiceRole = "all" | "api" | "worker";

export interface ServiceOptions {
  readonly config: Config;
  readonly role: ServiceRole;
  readonly database: Database;
  readonly logger: Logger;
  /** The identity of this process among the others, where somebody has to know it before. */
  readonly processId?: string;
  /** Tests shorten the waits of a chat. */
  readonly chatSettings?: ChatSettings;
}

/** What every part of the service stands on. */
export interface Foundation {
  readonly config: Config;
  readonly role: ServiceRole;
  readonly processId: string;
  readonly version: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** The API gives up on a slow database quickly, the engine is patient; they do not share connections. */
  readonly pools: { readonly api: Pool; readonly engine: Pool };
  readonly secrets: SecretBox;
  readonly clock: DatabaseClock;
  readonly ids: IdMaker;
  readonly library: FlowLibrary;
  readonly changes: RunChanges;
  readonly shutdown: Shutdown;
  startDuty(duty: Duty): RunningDuty;
  readonly duties: readonly RunningDuty[];
}

const ENGINE_ANSWER_TIMEOUT_MS = 12_000;

export async function layFoundation(
  { config, role, database, logger, processId = randomUUID() }: ServiceOptions,
  shutdown: Shutdown,
): Promise<Foundation> {
  const metrics = createMetrics();
  const engine = createPool({
    connection: database.connection,
    size: config.poolSize,
    applicationName: `millrace engine`,
    answerTimeoutMs: ENGINE_ANSWER_TIMEOUT_MS,
    onError: (error) => {
      metrics.databaseErrors.inc();
      logger.warn({ err: error }, "a database connection was lost");
    },
  });
  shutdown.add("engine pool", () => engine.end());
  const duties: RunningDuty[] = [];
  const startDuty = (duty: Duty) => {
    const running = superviseDuty(duty, { logger, metrics });
    duties.push(running);
    shutdown.add(duty.name, running.stop);
    return running;
  };
  const clock = new DatabaseClock(engine);
  await clock.calibrate();
  startDuty({ name: "clock", intervalMs: 10_000, runOnce: async () => void (await clock.calibrate()) });
  return {
    config,
    role,
    processId,
    version,
    logger,
    metrics,
    pools: { api: database.pool, engine },
    secrets: database.secrets,
    clock,
    ids: new IdMaker(() => clock.nowMs()),
    library: new FlowLibrary(database.pool, nodeTypes),
    changes: new RunChanges(),
    shutdown,
    startDuty,
    duties,
  };
}
