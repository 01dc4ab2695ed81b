// The load generator, a process of its own: reads a LoadPlan from stdin, prints a LoadReport.
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { formatRequest, HttpConnection } from "./support/http-connection.ts";
import type { Latency, LoadPlan, LoadReport } from "./support/load-plan.ts";
import { percentile } from "./support/statistics.ts";

const plan = JSON.parse(await text(process.stdin)) as LoadPlan;
const requests = plan.requests.map(formatRequest);
const latenciesMs: number[] = [];
const latenciesByStatus = new Map<number, number[]>();
let withoutRetryAfter = 0;
let unsent = 0;
let errors = 0;
let sent = 0;

const connections = await Promise.all(
  Array.from({ length: plan.connections }, () => HttpConnection.open(plan.port)),
);
const startedAtMs = performance.now();
const cpuBefore = process.cpuUsage();
const endAtMs = startedAtMs + plan.seconds * 1000;
await (plan.perSecond === undefined ? closedLoop() : openLoop(plan.perSecond));
const seconds = (performance.now() - startedAtMs) / 1000;
for (const connection of connections) connection.close();
const { user, system } = process.cpuUsage(cpuBefore);

const report: LoadReport = {
  startedAtMs: performance.timeOrigin + startedAtMs,
  seconds,
  cpuSeconds: (user + system) / 1e6,
  answers: latenciesMs.length,
  perSecond: latenciesMs.length / seconds,
  statuses: Object.fromEntries([...latenciesByStatus].map(([status, { length }]) => [status, length])),
  byStatus: Object.fromEntries([...latenciesByStatus].map(([status, each]) => [status, latencyOf(each)])),
  withoutRetryAfter,
  unsent,
  errors,
  p50Ms: percentile(latenciesMs, 50),
  p95Ms: percentile(latenciesMs, 95),
  p99Ms: percentile(latenciesMs, 99),
  maxMs: percentile(latenciesMs, 100),
};
console.log(JSON.stringify(report));

async function send(connection: HttpConnection, sinceMs: number): Promise<void> {
  const request = requests[sent++ % requests.length]!;
  const { status, head } = await connection.send(request);
  const latencyMs = performance.now() - sinceMs;
  latenciesMs.push(latencyMs);
  const alike = latenciesByStatus.get(status);
  if (alike) alike.push(latencyMs);
  else latenciesByStatus.set(status, [latencyMs]);
  if ((status === 429 || status === 503) && !/^retry-after: \d+/im.test(head)) withoutRetryAfter++;
}

function latencyOf(eachMs: readonly number[]): Latency {
  return {
    answers: eachMs.length,
    p50Ms: percentile(eachMs, 50),
    p99Ms: percentile(eachMs, 99),
    maxMs: percentile(eachMs, 100),
  };
}

async function closedLoop(): Promise<void> {
  const most = plan.most ?? Number.POSITIVE_INFINITY;
  await Promise.all(
    connections.map(async (connection) => {
      while (performance.now() < endAtMs && sent < most) {
        try {
          await send(connection, performance.now());
        } catch {
          errors++;
          return;
        }
        if (plan.pauseMs) await sleep(plan.pauseMs);
      }
    }),
  );
}

/** A request counts from the moment it was due, also while no connection is free: a stall is felt by all who come meanwhile. */
async function openLoop(perSecond: number): Promise<void> {
  const free = [...connections];
  const dueAtMs: number[] = [];
  const underWay = new Set<Promise<void>>();
  const next = (): void => {
    while (free.length > 0 && dueAtMs.length > 0) {
      const connection = free.pop()!;
      const answered = send(connection, dueAtMs.shift()!)
        .then(() => void free.push(connection))
        .catch(() => void errors++)
        .finally(() => {
          underWay.delete(answered);
          next();
        });
      underWay.add(answered);
    }
  };
  let due = 0;
  for (let nowMs = performance.now(); nowMs < endAtMs; nowMs = performance.now()) {
    // The generator's own timer is late by up to a millisecond; that is not the service's fault, so it counts from here.
    for (; startedAtMs + (due * 1000) / perSecond <= nowMs; due++) dueAtMs.push(nowMs);
    next();
    await sleep(1);
  }
  unsent = dueAtMs.length;
  dueAtMs.length = 0;
  await Promise.race([Promise.all(underWay), sleep(10_000, undefined, { ref: false })]);
}
