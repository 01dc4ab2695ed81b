import { setTimeout as sleep } from "node:timers/promises";
import { migrate } from "../packages/server/src/storage/migrate.ts";
import { readSchemaFiles } from "../packages/server/src/storage/schema-files.ts";
import { MAX_LOCK_MS } from "./fault-log.ts";
import type { Instance, Role } from "./instance.ts";
import { tryForbiddenWrites } from "./forbidden-writes.ts";
import type { World } from "./world.ts";

/** One fault from its beginning to its end. */
export type Fault = (world: World) => Promise<void>;

const HOUR_MS = 3_600_000;

const kill =
  (role: Role, skewed = false): Fault =>
  async ({ random, fleet, faults }) => {
    const slot = random.pick(fleet.of(role));
    if (!slot.instance) return;
    const skewMs = skewed ? random.pick([-720, -1, 1, 720]) * HOUR_MS : 0;
    const detail = skewed ? `back with a clock ${skewMs / HOUR_MS} h wrong` : "";
    const window = faults.begin("kill -9", [slot.instance.name], detail);
    await fleet.kill(slot, skewMs);
    faults.end(window);
  };

const suspend =
  (role: Role): Fault =>
  async ({ random, fleet, faults }) => {
    // One that is stopped already would be woken too early by whoever stopped it first.
    const awake = fleet.running(role).filter(({ name }) => !faults.isOpen("SIGSTOP", name));
    if (awake.length === 0) return;
    const instance = random.pick(awake);
    // Beyond the lease of 15 s others have taken over when it comes back.
    const long = role === "worker" && random.chance(0.4);
    const forMs = long ? random.between(16_500, 19_000) : random.between(500, 5_000);
    const window = faults.begin("SIGSTOP", [instance.name], `${(forMs / 1_000).toFixed(1)} s`);
    instance.signal("SIGSTOP");
    await sleep(forMs);
    instance.signal("SIGCONT");
    faults.endOfOne(window);
  };

/** Breaks the network of one process, or of all, and mends it. */
const network =
  (
    kind: string,
    { most, forMs, all }: { most: number; forMs: number; all: number },
    breakIt: (instance: Instance) => void,
  ): Fault =>
  async ({ random, fleet, faults }) => {
    const running = fleet.running();
    if (running.length === 0) return;
    const everybody = random.chance(all);
    const hit = everybody ? running : [random.pick(running)];
    const lastsMs = random.between(forMs, most);
    const window = faults.begin(
      kind,
      everybody ? ["all"] : [hit[0]!.name],
      `${(lastsMs / 1_000).toFixed(1)} s`,
    );
    for (const instance of hit) breakIt(instance);
    await sleep(lastsMs);
    for (const instance of hit) if (instance.alive) instance.proxy.heal();
    if (everybody) faults.end(window, MAX_LOCK_MS);
    else faults.endOfOne(window);
  };

const deploy =
  (role: Role): Fault =>
  async ({ random, fleet, faults }) => {
    const slot = random.pick(fleet.of(role));
    if (!slot.instance) return;
    const window = faults.begin("deploy", [slot.instance.name]);
    await fleet.deploy(slot);
    faults.endOfOne(window);
  };

const restartDatabase: Fault = async ({ postgres, faults }) => {
  const window = faults.begin("immediate restart", ["database"]);
  await postgres.restartImmediately();
  faults.end(window, MAX_LOCK_MS);
};

/**
 * Additive, through the service's own way to migrate: what the next release would bring while this one serves, every
 * function anew. Processes that start afterwards are the older release then, and must leave the functions alone.
 */
const migrateUnderLoad: Fault = async ({ postgres, faults, progress }) => {
  const known = await postgres.pool.query(
    `SELECT coalesce(max(version), 0) AS version FROM millrace_migrations`,
  );
  const version = Math.max(9_000, known.rows[0].version) + 1;
  const window = faults.begin("migration", ["database"], `version ${version}`);
  try {
    const { migrations, functions } = await readSchemaFiles();
    const migration = {
      version,
      name: `${version}_chaos.sql`,
      sql: `ALTER TABLE runs ADD COLUMN chaos_${version} text; ALTER TABLE organizations ADD COLUMN chaos_${version} integer;
            CREATE INDEX chaos_runs_${version} ON runs (chaos_${version}) WHERE chaos_${version} IS NOT NULL;`,
    };
    await migrate(postgres.pool, {
      migrations: [...migrations, migration],
      functions: functions.map((one) => ({ ...one, revision: version })),
    });
  } catch (error) {
    // Another fault took its connection; the next one tries again with the same version.
    progress(`migration ${version} was interrupted: ${String(error)}`);
  }
  faults.end(window);
};

const breakReceiver: Fault = async ({ random, receiver, faults }) => {
  const mood = random.pick(["failing", "hanging"] as const);
  faults.note("receiver", mood);
  receiver.mood = mood;
  await sleep(random.between(2_000, 6_000));
  receiver.mood = "well";
};

/** Polls stand behind the wake-ups: it may cost a second, not two. */
const swallowWakeUps: Fault = async ({ random, fleet, faults }) => {
  const running = fleet.running();
  faults.note("wake-ups swallowed", "all");
  for (const { proxy } of running) proxy.setSwallowingWakeUps(true);
  await sleep(random.between(3_000, 8_000));
  for (const { proxy } of running) proxy.setSwallowingWakeUps(false);
};

const loseAnswer: Fault = async ({ random, fleet, faults }) => {
  const instance = random.pick(fleet.running());
  if (!instance) return;
  const window = faults.begin("answer lost", [instance.name]);
  for (let lost = 0; lost < 3; lost++) {
    instance.proxy.loseNextAnswer();
    await sleep(300);
  }
  instance.proxy.heal();
  faults.endOfOne(window);
};

const forbiddenWrites: Fault = async ({ postgres, faults }) => {
  faults.note("forbidden writes");
  await tryForbiddenWrites(postgres.pool);
};

export const FAULTS: readonly (readonly [weight: number, fault: Fault])[] = [
  [16, kill("worker")],
  [6, kill("api")],
  [8, kill("worker", true)],
  [4, kill("api", true)],
  [14, suspend("worker")],
  [4, suspend("api")],
  [8, network("connections cut", { forMs: 0, most: 50, all: 0.3 }, ({ proxy }) => proxy.cut())],
  [6, network("refused", { forMs: 500, most: 4_000, all: 0.25 }, ({ proxy }) => proxy.setRefusing(true))],
  [8, network("half-open", { forMs: 1_000, most: 14_000, all: 0.2 }, ({ proxy }) => proxy.setHalfOpen(true))],
  [
    6,
    network("latency of 150 ms", { forMs: 2_000, most: 6_000, all: 0.5 }, ({ proxy }) =>
      proxy.setDelayMs(150),
    ),
  ],
  [5, swallowWakeUps],
  [6, loseAnswer],
  [8, restartDatabase],
  [5, deploy("worker")],
  [4, deploy("api")],
  [4, migrateUnderLoad],
  [6, breakReceiver],
  [3, forbiddenWrites],
];
