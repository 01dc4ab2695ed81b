import { setTimeout as sleep } from "node:timers/promises";
import { acknowledgedRun } from "./api-client.ts";
import { readRunMoves } from "./recorder.ts";
import { untilQuiet } from "./settle.ts";
import { isTerminal } from "./transitions.ts";
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

/** A flow that kills whoever executes it, beside two organizations that go on as before. */
export async function probePoison({
  load,
  fleet,
  effects,
  faults,
  postgres,
}: World): Promise<PoisonResult | undefined> {
  const kills: Promise<void>[] = [];
  effects.onPoison = (runId) => kills.push(killOwner(runId));
  const killOwner = async (runId: string) => {
    const { rows } = await postgres.pool.query(
      `SELECT p.pid FROM runs r JOIN processes p ON p.id = r.process_id WHERE r.id = $1`,
      [runId],
    );
    const victim = fleet.running("worker").find(({ pid }) => pid === rows[0]?.pid);
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
  await sleep(1_000);
  // What was asked in the last second need not be done by now.
  const due = asked.filter(({ atMs }) => atMs < endMs - 1_000).map((own) => own.runId);
  const { rows } = await postgres.pool.query(
    `SELECT count(*) AS done FROM runs WHERE id = ANY($1) AND completed_at < to_timestamp($2 / 1000.0)`,
    [due, endMs + 1_000],
  );
  return {
    runId,
    endedMs: endMs - beganMs,
    asked: due.length,
    throughput: rows[0].done / Math.max(1, due.length),
  };
}
