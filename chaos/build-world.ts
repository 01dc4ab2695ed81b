import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { migrate } from "../packages/server/src/storage/migrate.ts";
import { ApiClient } from "./api-client.ts";
import { startEffectServer } from "./effect-server.ts";
import { startEventReceiver } from "./event-receiver.ts";
import { FaultLog } from "./fault-log.ts";
import { Fleet } from "./fleet.ts";
import { History } from "./history.ts";
import { Load } from "./load.ts";
import { startPostgres } from "./postgres.ts";
import type { Random } from "./random.ts";
import { createWriterRole, installRecorder } from "./recorder.ts";
import { StallMeter } from "./stall-meter.ts";
import { makeWorkspace } from "./workspace.ts";
import type { World } from "./world.ts";

const ENVIRONMENT = {
  MILLRACE_SECRET_KEY: Buffer.alloc(32, 11).toString("base64"),
  MILLRACE_EGRESS_ALLOW: "127.0.0.0/8",
  MILLRACE_REQUESTS_PER_MINUTE: "0",
  MILLRACE_BAD_KEYS_PER_MINUTE: "0",
  MILLRACE_WEBHOOK_REQUESTS_PER_10S: "0",
  MILLRACE_WEBHOOK_REQUESTS_PER_IP_10S: "0",
  // Little enough that three workers together are not much more than all slots.
  MILLRACE_WORKER_CONCURRENCY: "14",
  MILLRACE_LOG_FORMAT: "json",
  // As several processes need it: each would name itself in links, and an event sent by two of them would differ.
  MILLRACE_PUBLIC_URL: "http://127.0.0.1:4000",
};

export interface Setting {
  readonly directory: string;
  readonly progress: (text: string) => void;
  readonly interrupted: AbortSignal;
  readonly cleanUp: (() => Promise<unknown>)[];
}

/** Everything that is to be broken, and everything that looks on; `cleanUp` grows with each part. */
export async function buildWorld(
  { directory, progress, interrupted, cleanUp }: Setting,
  random: Random,
): Promise<World> {
  const logDirectory = join(directory, "logs");
  await mkdir(logDirectory, { recursive: true });
  const postgres = await startPostgres(join(directory, "database"));
  cleanUp.push(() => postgres.stop());
  await migrate(postgres.pool);
  const { host, password } = postgres.connection;
  const secret = encodeURIComponent(String(password));
  const fleet = new Fleet({
    createRole: (name) => createWriterRole(postgres.pool, name),
    socketPath: `${host}/.s.PGSQL.5432`,
    databaseUrl: (user, port) => `postgres://${user}:${secret}@127.0.0.1:${port}/millrace`,
    env: ENVIRONMENT,
    logDirectory,
  });
  await installRecorder(postgres.pool);
  const effects = await startEffectServer();
  const receiver = await startEventReceiver();
  cleanUp.push(effects.close, receiver.close);
  const direct = `postgres://millrace:${secret}@localhost/millrace?host=${encodeURIComponent(String(host))}`;
  const workspace = await makeWorkspace(
    { pool: postgres.pool, env: { ...ENVIRONMENT, DATABASE_URL: direct }, directory },
    effects.url,
    receiver,
  );
  cleanUp.push(() => fleet.stop());
  await fleet.startAll();
  const history = new History(join(directory, "requests.jsonl"));
  cleanUp.push(() => history.close());
  const stalls = new StallMeter();
  cleanUp.push(async () => stalls.stop());
  const client = new ApiClient(fleet, history, workspace.keys);
  const load = new Load({ client, fleet, workspace });
  const faults = new FaultLog(progress);
  return {
    random,
    postgres,
    fleet,
    effects,
    receiver,
    history,
    client,
    load,
    faults,
    stalls,
    interrupted,
    progress,
  };
}
