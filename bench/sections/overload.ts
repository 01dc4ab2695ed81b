import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { startNode } from "../support/children.ts";
import type { Figure } from "../support/figures.ts";
import type { HttpRequest } from "../support/http-connection.ts";
import { runLoad } from "../support/load.ts";
import type { LoadReport } from "../support/load-plan.ts";
import { cpuBetween, readCpu } from "../support/cpu.ts";
import { peakResidentBytes } from "../support/memory.ts";
import type { Bench, Section } from "../support/section.ts";
import { install } from "../support/service.ts";
import { countCompleted, untilAllEnded } from "../support/throughput.ts";
import { flow, organization, THREE_NODES, trigger } from "../support/workspace.ts";

const BARE_REFUSAL = fileURLToPath(import.meta.resolve("../bare-refusal.ts"));
const ORGANIZATIONS = ["org_a", "org_b", "org_c", "org_d"];
// As many as a process works on at once, so that nobody is turned away while the peak is measured.
const CLOSED_CONNECTIONS = 256;
// Enough that the generator never waits for a free one: whoever comes too much still comes.
const OPEN_CONNECTIONS = 2_048;
const WORKERS = 2;
const TIMES_CAPACITY = 3;
const PROBE_PER_SECOND = 200;
const NORMAL_AFTER_SECONDS = 10;
/** A median may double, and a busy machine adds a little, before the service counts as slower than before. */
const NORMAL = { times: 2, plusMs: 5 };

/** Where the database limits: commits that take a tenth of a second, and cores to spare. */
export const overload: Section = {
  name: "overload",
  summary: `triggers at ${TIMES_CAPACITY} × the rate the service can take, and the time after it; the database is the limit`,
  run: (bench) => measure(bench, "overload", ["commit_delay = 100000", "commit_siblings = 0"]),
};

/** Where cores limit, and the generator and every refusal take some of the same. */
export const overloadOfCores: Section = {
  name: "overload-cores",
  summary: `the same where the cores of this machine are the limit, which also hold the load generator`,
  run: (bench) => measure(bench, "overload_cores", []),
};

async function measure(bench: Bench, name: string, settings: readonly string[]): Promise<Figure[]> {
  const service = await install(bench.cluster, name, { profileDirectory: bench.profileDirectory });
  for (const setting of settings) await service.database.pool.query(`ALTER DATABASE ${name} SET ${setting}`);
  await service.apply(
    ORGANIZATIONS.flatMap((id) => [organization(id), flow(id, `flow_of_${id}`, THREE_NODES)]),
  );
  const requests: HttpRequest[] = [];
  for (const id of ORGANIZATIONS) requests.push(trigger(`flow_of_${id}`, await service.createKey(id)));
  const { port, child } = await service.start("api");
  for (let workers = 0; workers < WORKERS; workers++) await service.start("worker");
  const { pool } = service.database;

  await runLoad({ port, requests, connections: CLOSED_CONNECTIONS, seconds: 3 });
  await untilAllEnded(pool);
  await pool.query("ANALYZE");
  const probe = (seconds: number) =>
    runLoad({ port, requests, connections: 64, perSecond: PROBE_PER_SECOND, seconds });
  const before = await probe(3);
  const closed = { port, requests, untilIdle: () => untilAllEnded(pool) };
  const peak = await measurePeak(bench, closed);
  const bare = await measureBesideBareRefusals(bench, closed, peak);

  const completedBefore = await countCompleted(pool);
  const offeredPerSecond = Math.round(peak * TIMES_CAPACITY);
  bench.progress(`offering ${offeredPerSecond}/s for ${bench.seconds} s`);
  const cpuBefore = await readCpu(child.pid, pool);
  const { result: load, peakBytes } = await peakResidentBytes(
    child.pid,
    runLoad({
      port,
      requests,
      connections: OPEN_CONNECTIONS,
      perSecond: offeredPerSecond,
      seconds: bench.seconds,
    }),
  );
  const cpuAfter = await readCpu(child.pid, pool);
  bench.progress(describe(load));
  const cpu = cpuBefore && cpuAfter && cpuBetween(child.pid, cpuBefore, cpuAfter);
  const cores = cpu && [cpu.processMs, cpu.postgresMs].map((ms) => (ms / 1000 / load.seconds).toFixed(2));
  const cpuNote = cores ? `cores: API ${cores[0]}, PostgreSQL ${cores[1]}, generator ${coresOf(load)}` : "";
  const { normalAfterSeconds, after } = await untilNormal(probe, before, bench);
  await untilAllEnded(pool);
  const completed = (await countCompleted(pool)) - completedBefore - after;
  await service.remove();
  const accepted = answersOf(load, isAccepted);
  const refused = answersOf(load, isRefused);
  if (completed !== accepted)
    throw new Error(`${accepted} triggers were accepted and ${completed} runs completed.`);
  const offered = `${Math.round(load.answers / load.seconds)}/s of ${offeredPerSecond}/s really offered`;
  return [
    {
      name: `accepted at ${TIMES_CAPACITY} × capacity, of the peak`,
      unit: "/s",
      service: accepted / load.seconds,
      reference: peak,
      bar: { least: 0.8 },
      note: `${offered}; ${cpuNote}`,
    },
    {
      name: "the same, of the peak beside a bare server that refuses the rest",
      unit: "/s",
      service: accepted / load.seconds,
      reference: bare.peak,
      bar: { least: 0.8 },
      note: `it refused ${Math.round(bare.refusedPerSecond)}/s, p99 ${bare.refusedP99Ms.toFixed(0)} ms`,
    },
    { name: "accepted, p99", unit: "ms", service: worst(load, isAccepted), bar: { most: 1_000 } },
    {
      name: "refused, p99",
      unit: "ms",
      service: worst(load, isRefused),
      bar: { most: 100 },
      note: `${refused} refused, ${load.withoutRetryAfter} without Retry-After`,
    },
    {
      name: "answers other than accepted, 429 and 503 with Retry-After",
      unit: "",
      service: load.answers - accepted - refused + load.withoutRetryAfter,
      bar: { most: 0 },
    },
    { name: "memory of the API process, most", unit: "MB", service: peakBytes / 1e6, bar: { most: 512 } },
    {
      name: "normal again after",
      unit: "s",
      service: normalAfterSeconds,
      bar: { most: NORMAL_AFTER_SECONDS },
      note: `p50 before ${before.p50Ms.toFixed(1)} ms`,
    },
  ];
}

/** The best of the rounds: what the service can take when nobody asks for more. */
async function measurePeak(
  { rounds, seconds, progress }: Bench,
  load: { port: number; requests: readonly HttpRequest[]; untilIdle: () => Promise<void> },
): Promise<number> {
  let peak = 0;
  for (let round = 1; round <= rounds; round++) {
    const report = await runLoad({
      ...load,
      connections: CLOSED_CONNECTIONS,
      seconds: Math.min(seconds, 10),
    });
    progress(`peak, round ${round}: ${describe(report)}`);
    await load.untilIdle();
    peak = Math.max(peak, answersOf(report, isAccepted) / report.seconds);
  }
  return peak;
}

/**
 * The peak while another process, which does nothing else, answers what would be too much. On a machine that also
 * holds the generator the mere coming and going of requests takes cores away: this is what is left at best.
 */
async function measureBesideBareRefusals(
  { seconds, progress }: Bench,
  load: { port: number; requests: readonly HttpRequest[]; untilIdle: () => Promise<void> },
  peak: number,
): Promise<{ peak: number; refusedPerSecond: number; refusedP99Ms: number }> {
  const bare = startNode(BARE_REFUSAL, []);
  const [port] = (await once(bare.process.stdout!, "data")) as [Buffer];
  const roundSeconds = Math.min(seconds, 10);
  const [served, turnedAway] = await Promise.all([
    runLoad({ ...load, connections: CLOSED_CONNECTIONS, seconds: roundSeconds }),
    runLoad({
      port: Number(port.toString()),
      requests: load.requests,
      connections: OPEN_CONNECTIONS,
      perSecond: Math.round(peak * (TIMES_CAPACITY - 1)),
      seconds: roundSeconds,
    }),
  ]);
  await bare.stop();
  await load.untilIdle();
  progress(
    `beside a bare server that refuses: ${describe(served)}; the bare server: ${describe(turnedAway)}`,
  );
  return {
    peak: answersOf(served, isAccepted) / served.seconds,
    refusedPerSecond: turnedAway.perSecond,
    refusedP99Ms: turnedAway.p99Ms,
  };
}

/** Seconds of normal traffic, one after the other, until one is as it was before. */
async function untilNormal(
  probe: (seconds: number) => Promise<LoadReport>,
  before: LoadReport,
  { progress }: Bench,
): Promise<{ normalAfterSeconds: number; after: number }> {
  const startedAtMs = performance.now();
  let after = 0;
  for (let looks = 0; looks < 2 * NORMAL_AFTER_SECONDS; looks++) {
    const report = await probe(1);
    after += answersOf(report, isAccepted);
    const seconds = (performance.now() - startedAtMs) / 1000;
    progress(`${seconds.toFixed(1)} s after: ${describe(report)}`);
    const isNormal = report.p50Ms <= before.p50Ms * NORMAL.times + NORMAL.plusMs;
    if (isNormal && answersOf(report, isAccepted) === report.answers)
      return { normalAfterSeconds: seconds, after };
  }
  return { normalAfterSeconds: Number.POSITIVE_INFINITY, after };
}

const isAccepted = (status: string) => status === "201" || status === "202";
const isRefused = (status: string) => status === "429" || status === "503";

function answersOf({ statuses }: LoadReport, counts: (status: string) => boolean): number {
  return Object.entries(statuses).reduce((sum, [status, answers]) => sum + (counts(status) ? answers : 0), 0);
}

function worst({ byStatus }: LoadReport, counts: (status: string) => boolean): number {
  return Math.max(
    0,
    ...Object.entries(byStatus).flatMap(([status, { p99Ms }]) => (counts(status) ? [p99Ms] : [])),
  );
}

function describe(report: LoadReport): string {
  const { perSecond, byStatus } = report;
  const each = Object.entries(byStatus).map(
    ([status, { answers, p50Ms, p99Ms, maxMs }]) =>
      `${answers} × ${status} (p50 ${p50Ms.toFixed(1)}, p99 ${p99Ms.toFixed(1)}, max ${maxMs.toFixed(0)} ms)`,
  );
  return `${Math.round(perSecond)}/s: ${each.join(", ")}; generator ${coresOf(report)} cores`;
}

function coresOf({ cpuSeconds, seconds }: LoadReport): string {
  return (cpuSeconds / seconds).toFixed(2);
}
