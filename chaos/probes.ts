import { setTimeout as sleep } from "node:timers/promises";
import { acknowledgedRun } from "./api-client.ts";
import type { Instance } from "./instance.ts";
import { readRunMoves } from "./recorder.ts";
import { untilQuiet } from "./settle.ts";
import { isTerminal } from "../packages/server/src/domain/run-status.ts";
import { ORGANIZATIONS } from "./workspace.ts";
import type { World } from "./world.ts";

export interface FairnessResult {
  readonly dispatches: number;
  readonly shares: readonly { organizationId: string; share: number; least: number }[];
  readonly newcomerMs: number | undefined;
  readonly allowanceMs: number;
}

export interface PoisonResult {
  readonly runId: string;
  /** From the trigger to the end. */
  readonly endedMs: number;
  readonly asked: number;
  readonly throughput: number;
}

export interface ProbeResults {
  readonly fairness?: FairnessResult;
  readonly poison?: PoisonResult;
  /** Why there is nothing to judge although there should be. */
  readonly missing?: string;
}

const BACKLOG: Record<string, number> = { org_large: 160, org_paid: 50, org_late: 36 };
const NEWCOMER = "org_small";

/** Several organizations with long queues at once, and one that comes later. */
export async function probeFairness({ load, postgres, stalls }: World): Promise<FairnessResult> {
  const beganMs = Date.now();
  const [{ seq }] = (await postgres.pool.query(`SELECT coalesce(max(seq), 0) AS seq FROM chaos.run_history`))
    .rows as [{ seq: number }];
  await Promise.all(
    Object.entries(BACKLOG).flatMap(([organizationId, count]) =>
      Array.from({ length: count }, (_, api) => load.trigger({ organizationId, flow: "brief", api })),
    ),
  );
  await sleep(500);
  const newcomer = acknowledgedRun(await load.trigger({ organizationId: NEWCOMER, flow: "brief", api: 0 }));
  const askedMs = Date.now();
  await untilQuiet(postgres.pool, 60_000);

  const claims = (await readRunMoves(postgres.pool, seq)).filter(
    ({ oldStatus, newStatus }) => newStatus === "EXECUTING" && oldStatus !== newStatus,
  );
  const startedMs = claims.find(({ runId }) => runId === newcomer)?.atMs;
  // Only while all of them have a backlog: until the first has nobody left to dispatch.
  const left = new Map(Object.entries(BACKLOG));
  const counted: string[] = [];
  for (const { organizationId } of claims) {
    const still = left.get(organizationId);
    if (still === undefined) continue;
    if (still <= 1) break;
    left.set(organizationId, still - 1);
    counted.push(organizationId);
  }
  const limits = ORGANIZATIONS.filter(({ id }) => id in BACKLOG);
  const slots = limits.reduce((sum, { concurrency }) => sum + concurrency, 0);
  return {
    dispatches: counted.length,
    shares: limits.map(({ id, concurrency }) => ({
      organizationId: id,
      share: counted.filter((organizationId) => organizationId === id).length / Math.max(1, counted.length),
      least: 0.5 * Math.min(1 / limits.length, concurrency / slots),
    })),
    newcomerMs: startedMs === undefined ? undefined : Math.max(0, startedMs - askedMs),
    allowanceMs: stalls.allowanceMs(beganMs, Date.now()),
  };
}

const POISON_MS = 90_000;
const LOAD_PAUSE_MS = 100;
const OTHERS_MS = 10_000;
const START_MS = 10_000;

/** A flow that kills whoever executes it, beside two organizations that go on as before. */
export async function probePoison({
  load,
  fleet,
  effects,
  faults,
  postgres,
  stalls,
}: World): Promise<PoisonResult | undefined> {
  const kills: Promise<void>[] = [];
  effects.onPoison = (runId) => kills.push(killOwner(runId));
  const findOwner = async (runId: string): Promise<Instance | undefined> => {
    const { rows } = await postgres.pool.query(
      `SELECT p.pid FROM runs r JOIN processes p ON p.id = r.process_id WHERE r.id = $1`,
      [runId],
    );
    return fleet.running("worker").find(({ pid }) => pid === rows[0]?.pid);
  };
  const killOwner = async (runId: string) => {
    const lookUntilMs = Date.now() + START_MS;
    let victim = await findOwner(runId);
    // A worker that is being started takes runs before its starter hears from it.
    while (!victim && Date.now() < lookUntilMs) {
      await sleep(LOAD_PAUSE_MS);
      victim = await findOwner(runId);
    }
    if (!victim) return;
    const window = faults.begin("poison kills", [victim.name]);
    victim.signal("SIGKILL");
    await victim.exited;
    faults.end(window);
  };
  const runId = acknowledgedRun(await load.trigger({ organizationId: "org_poison", flow: "poison", api: 0 }));
  if (runId === undefined) return undefined;
  const beganMs = Date.now();
  const asked: { runId: string; atMs: number }[] = [];
  for (let round = 0; Date.now() < beganMs + POISON_MS; round++) {
    const operation = await load.trigger({
      organizationId: round % 2 === 0 ? "org_large" : "org_paid",
      flow: "effects",
      api: round,
    });
    const own = acknowledgedRun(operation);
    if (own !== undefined) asked.push({ runId: own, atMs: Date.now() });
    const { rows } = await postgres.pool.query(`SELECT status FROM runs WHERE id = $1`, [runId]);
    if (isTerminal(rows[0]?.status)) break;
    await sleep(LOAD_PAUSE_MS);
  }
  const endMs = Date.now();
  effects.onPoison = () => {};
  await Promise.all(kills);
  await fleet.whole();
  // Those that were in the hands of a killed worker are taken over within 5 s, and then have their own time to take.
  const withinMs = OTHERS_MS + stalls.allowanceMs(beganMs, Date.now());
  const count = async () => {
    const { rows } = await postgres.pool.query(
      `SELECT count(*) FILTER (WHERE r.completed_at <= to_timestamp((a.at_ms + $3) / 1000.0)) AS done
         FROM unnest($1::text[], $2::float8[]) AS a(run_id, at_ms) JOIN runs r ON r.id = a.run_id`,
      [asked.map((own) => own.runId), asked.map(({ atMs }) => atMs), withinMs],
    );
    return Number(rows[0].done);
  };
  while ((await count()) < asked.length && Date.now() < endMs + withinMs) await sleep(LOAD_PAUSE_MS);
  return {
    runId,
    endedMs: endMs - beganMs,
    asked: asked.length,
    throughput: (await count()) / Math.max(1, asked.length),
  };
}
