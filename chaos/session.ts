import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { migrate } from "../packages/server/src/storage/migrate.ts";
import { ApiClient } from "./api-client.ts";
import { startEffectServer } from "./effect-server.ts";
import { startEventReceiver } from "./event-receiver.ts";
import { gatherEvidence } from "./evidence.ts";
import { FaultLog } from "./fault-log.ts";
import { Fleet } from "./fleet.ts";
import { History } from "./history.ts";
import { Load } from "./load.ts";
import type { ChaosOptions } from "./options.ts";
import { startPostgres } from "./postgres.ts";
import { probeFairness, probePoison, type ProbeResults, untilQuiet } from "./probes.ts";
import { Random } from "./random.ts";
import { createWriterRole, installRecorder } from "./recorder.ts";
import { isBroken, judge, type Report } from "./report.ts";
import { sample } from "./sampler.ts";
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
};

export interface SessionResult {
  readonly report: Report;
  /** Kept where a promise was broken, or where it was asked for. */
  readonly directory: string | undefined;
}

/** One run of chaos, from an empty directory to the verdicts; leaves nothing behind but what it says. */
export async function runSession(
  options: ChaosOptions,
  { progress, interrupted }: { progress: (text: string) => void; interrupted: AbortSignal },
): Promise<SessionResult> {
  const directory = await mkdtemp(join(tmpdir(), "millrace-chaos-"));
  const cleanUp: (() => Promise<unknown>)[] = [
    () => rm(join(directory, "database"), { recursive: true, force: true }),
  ];
  let keeps = true;
  try {
    const whole = course(options, { directory, progress, interrupted, cleanUp });
    // Whatever is under way when the run is interrupted ends with the processes it needs.
    whole.catch(() => {});
    const report = await Promise.race([whole, interruption(interrupted)]);
    keeps = options.keep || isBroken(report);
    return { report, directory: keeps ? directory : undefined };
  } finally {
    for (const step of cleanUp.toReversed()) await step();
    if (!keeps || interrupted.aborted) await rm(directory, { recursive: true, force: true });
  }
}

function interruption(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
}

interface Setting {
  readonly directory: string;
  readonly progress: (text: string) => void;
  readonly interrupted: AbortSignal;
  readonly cleanUp: (() => Promise<unknown>)[];
}

async function course(options: ChaosOptions, setting: Setting): Promise<Report> {
  const { scenario, seconds, settleSeconds, seed } = options;
  const { progress, interrupted } = setting;
  const world = await build(setting, new Random(seed));
  const { load, fleet, faults, random } = world;

  const stopSampling = new AbortController();
  const sampled = sample(world, stopSampling.signal);
  const stopLoad = new AbortController();
  const loaded = load.run(random.fork(), scenario.clients, stopLoad.signal);
  const beganMs = Date.now();
  progress(`${scenario.name}: ${seconds} s of faults`);
  await scenario.run(world, beganMs + seconds * 1_000);
  stopLoad.abort();
  await loaded;
  const loadMs = Date.now() - beganMs;

  interrupted.throwIfAborted();
  const healing = faults.begin("healing", ["all"]);
  await heal(world);
  faults.end(healing);
  progress("healed; waiting for quiet");
  const quiet = await untilQuiet(world.postgres.pool, settleSeconds * 1_000);
  const probes: ProbeResults = !scenario.probes
    ? {}
    : !quiet
      ? { missing: `not probed: runs were still open ${settleSeconds} s after the last fault` }
      : {
          fairness: await probed(world, "fairness", probeFairness),
          poison: await probed(world, "poison", probePoison),
        };
  if (scenario.probes) await untilQuiet(world.postgres.pool, settleSeconds * 1_000);
  await load.finish(3_000);
  await untilDelivered(world, settleSeconds * 1_000);
  stopSampling.abort();
  const samples = await sampled;
  fleet.heal();
  interrupted.throwIfAborted();
  const evidence = await gatherEvidence(world, { samples, probes, logs: await readLogs(setting.directory) });
  return judge(evidence, { seed, scenario: scenario.name, loadMs });
}

async function probed<T>(world: World, name: string, probe: (world: World) => Promise<T>): Promise<T> {
  world.progress(`probing ${name}`);
  return probe(world);
}

async function build({ directory, progress, interrupted, cleanUp }: Setting, random: Random): Promise<World> {
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

async function heal({ fleet, receiver, postgres }: World): Promise<void> {
  receiver.mood = "well";
  fleet.heal();
  await postgres.pool.query(`DELETE FROM chaos.slowness`);
  await fleet.whole();
}

/**
 * Until every event has arrived. After a second failure a delivery waits five minutes, which is longer than anybody
 * wants to watch: its time is brought forward, nothing else about it.
 */
async function untilDelivered({ postgres }: World, withinMs: number): Promise<void> {
  const endAtMs = Date.now() + withinMs;
  while (Date.now() < endAtMs) {
    await postgres.pool.query(
      `UPDATE event_deliveries SET next_at = millrace_now() WHERE state = 'retrying'`,
    );
    const { rows } = await postgres.pool.query(
      `SELECT (SELECT count(*) FROM event_deliveries WHERE state = 'retrying') + (SELECT count(*) FROM event_batches WHERE position IS NULL)
              + (SELECT count(*) FROM event_endpoints e LEFT JOIN event_feeds f ON f.organization_id = e.organization_id AND f.endpoint_id = e.id
                  WHERE e.enabled AND coalesce(f.position, 0) < (SELECT coalesce(max(b.position), 0) FROM event_batches b WHERE b.organization_id = e.organization_id)) AS open`,
    );
    if (rows[0].open === 0) return;
    await sleep(1_000);
  }
}

async function readLogs(directory: string): Promise<string> {
  const files = await readdir(join(directory, "logs"));
  return (await Promise.all(files.map((file) => readFile(join(directory, "logs", file), "utf8")))).join("\n");
}
