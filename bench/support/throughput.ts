import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import type { Child } from "./children.ts";
import { cpuBetween, type CpuTime, readCpu } from "./cpu.ts";
import type { Figure } from "./figures.ts";
import type { HttpRequest } from "./http-connection.ts";
import { runLoad } from "./load.ts";
import type { LoadReport } from "./load-plan.ts";
import type { Bench } from "./section.ts";
import { median } from "./statistics.ts";
import type { Pair } from "./with-reference.ts";
import { trigger } from "./workspace.ts";

const MAX_WAIT_MS = 180_000;
/**
 * As long as V8 goes on compiling: a service runs for days, and its first seconds cost twice as much as the rest. In turns, as
 * V8 throws away what it has compiled where a process does nothing for eight seconds.
 */
const WARM_UP = { rounds: 3, seconds: 4 };

/** What is put under load. */
export interface Target {
  readonly name: string;
  readonly child: Child;
  readonly pool: Pool;
  readonly port: number;
  readonly request: HttpRequest;
  readonly connections: number;
}

export interface Throughput {
  readonly completedPerSecond: number;
  readonly load: LoadReport;
  readonly cpuPerRun: CpuTime | undefined;
}

export function referenceTarget({ reference }: Pair, connections: number): Target {
  return {
    name: "reference",
    ...reference,
    pool: reference.database.pool,
    request: trigger("flow_bench"),
    connections,
  };
}

export function serviceTarget({ service, process, key }: Pair, flowId: string, connections: number): Target {
  return {
    name: `service ${flowId}`,
    ...process,
    pool: service.database.pool,
    request: trigger(flowId, key),
    connections,
  };
}

/**
 * The first target and another in the round with the median ratio of their rates: neighbours in time saw the same
 * machine, so a ratio within a round is worth more than one of medians.
 */
export function medianRound(
  rounds: readonly (readonly Throughput[])[],
  at: number,
  rateOf = ({ completedPerSecond }: Throughput) => completedPerSecond,
): readonly [first: Throughput, other: Throughput] {
  const ratioOf = (round: readonly Throughput[]) => rateOf(round[at]!) / rateOf(round[0]!);
  const middle = median(rounds.map(ratioOf));
  const round = rounds.find((round) => ratioOf(round) === middle)!;
  return [round[0]!, round[at]!];
}

/** A rate against that of the first target, with what a run costs in CPU time. */
export function rateFigure(
  name: string,
  rounds: readonly (readonly Throughput[])[],
  at: number,
  least?: number,
): Figure {
  const [bare, full] = medianRound(rounds, at);
  return {
    name,
    unit: "/s",
    service: full.completedPerSecond,
    reference: bare.completedPerSecond,
    ...(least === undefined ? {} : { bar: { least } }),
    note: `CPU per run: ${describeCpu(full.cpuPerRun)}; reference ${describeCpu(bare.cpuPerRun)}`,
  };
}

/** Takes the targets in turn, several times, because a shared machine is never equally busy; the first rounds only warm up. */
export async function compareThroughput(
  bench: Bench,
  targets: readonly Target[],
): Promise<readonly (readonly Throughput[])[]> {
  const rounds: Throughput[][] = [];
  for (let round = 1 - WARM_UP.rounds; round <= bench.rounds; round++) {
    const measured: Throughput[] = [];
    // Whoever comes second finds the disk busier.
    const turns = [...targets.entries()];
    const isWarmUp = round <= 0;
    for (const [at, target] of round % 2 === 0 ? turns : turns.toReversed()) {
      const throughput = await measure(target, isWarmUp ? WARM_UP.seconds : bench.seconds);
      bench.progress(`${isWarmUp ? "warm-up" : `round ${round}`}: ${target.name} ${describe(throughput)}`);
      measured[at] = throughput;
      // Plans made for empty tables would be measured otherwise, and on one side more than on the other.
      if (isWarmUp) await target.pool.query("ANALYZE");
    }
    if (!isWarmUp) rounds.push(measured);
  }
  return rounds;
}

/** Load for a while, then wait until every run has ended: the rate is all that completed over all the time it took. */
async function measure(
  { child, pool, port, request, connections }: Target,
  seconds: number,
): Promise<Throughput> {
  const before = await countCompleted(pool);
  const cpuBefore = await readCpu(child.pid, pool);
  const load = await runLoad({ port, requests: [request], connections, seconds });
  const refused = Object.keys(load.statuses).filter((status) => status !== "201" && status !== "202");
  if (refused.length > 0) throw new Error(`Triggers were refused: ${JSON.stringify(load.statuses)}`);
  await untilAllEnded(pool);
  const cpuAfter = await readCpu(child.pid, pool);
  const completed = (await countCompleted(pool)) - before;
  if (completed !== load.answers)
    throw new Error(`${load.answers} triggers were accepted and ${completed} runs completed.`);
  const { rows } = await pool.query(
    `SELECT extract(epoch FROM max(completed_at))::float8 AS ended FROM runs`,
  );
  return {
    completedPerSecond: completed / (rows[0].ended - load.startedAtMs / 1000),
    load,
    cpuPerRun: cpuBefore && cpuAfter && perRun(cpuBetween(child.pid, cpuBefore, cpuAfter), completed),
  };
}

function perRun({ processMs, postgresMs }: CpuTime, runs: number): CpuTime {
  return { processMs: processMs / runs, postgresMs: postgresMs / runs };
}

function describe({ completedPerSecond, load, cpuPerRun }: Throughput): string {
  const accepted = `${Math.round(completedPerSecond)}/s completed, ${Math.round(load.perSecond)}/s accepted`;
  return cpuPerRun ? `${accepted}, CPU per run ${describeCpu(cpuPerRun)}` : accepted;
}

export function describeCpu(cpu: CpuTime | undefined): string {
  return cpu
    ? `${cpu.processMs.toFixed(2)} ms process + ${cpu.postgresMs.toFixed(2)} ms PostgreSQL`
    : "unknown";
}

export async function untilAllEnded(pool: Pool): Promise<void> {
  const endAtMs = performance.now() + MAX_WAIT_MS;
  for (;;) {
    const { rows } = await pool.query(
      `SELECT EXISTS (SELECT FROM runs WHERE status = 'EXECUTING') OR EXISTS (SELECT FROM runs WHERE status = 'WAITING') AS busy`,
    );
    if (!rows[0].busy) return;
    if (performance.now() > endAtMs) throw new Error("The runs did not end in three minutes.");
    await sleep(100);
  }
}

export async function countCompleted(pool: Pool): Promise<number> {
  const { rows } = await pool.query(`SELECT count(*) AS count FROM runs WHERE status = 'COMPLETED'`);
  return rows[0].count;
}
