import { setTimeout as sleep } from "node:timers/promises";
import type { Figure } from "../support/figures.ts";
import { runLoad } from "../support/load.ts";
import { residentBytes } from "../support/memory.ts";
import type { Section } from "../support/section.ts";
import { type Installation, install } from "../support/service.ts";
import { percentile } from "../support/statistics.ts";
import { openStreams } from "../support/stream-readers.ts";
import { flow, organization, ORGANIZATION, trigger } from "../support/workspace.ts";

const WATCHED = 1_000;
const MANY = 5_000;
const RESUMED = 400;
const RESUMED_PER_SECOND = 40;
const SETTLE_MS = 5_000;
const MAX_MS = 120_000;

export const streams: Section = {
  name: "streams",
  summary: "how soon a change reaches one of 1,000 open streams, and what 5,000 of them cost",
  async run({ cluster, profileDirectory, progress }): Promise<Figure[]> {
    const service = await install(cluster, "streams", { profileDirectory });
    await service.apply([
      organization(ORGANIZATION),
      flow(ORGANIZATION, "flow_ask", [
        { id: "start", type: "start" },
        { id: "ask", type: "approval", inputs: { message: "Go on?" } },
        { id: "done", type: "return", after: ["ask:approved"] },
      ]),
    ]);
    const key = await service.createKey(ORGANIZATION);
    const { port, child } = await service.start("start");
    await runLoad({ port, requests: [trigger("flow_ask", key)], connections: 32, seconds: 120, most: MANY });
    const runIds = await pausedRuns(service);
    progress(`${runIds.length} runs are paused`);

    const readers = await openStreams({ port, key, runIds: runIds.slice(0, WATCHED) });
    const requests = runIds.slice(0, RESUMED).map((id) => ({
      method: "POST",
      path: `/api/runs/${id}/resume`,
      headers: { authorization: `Bearer ${key}` },
      body: { decision: "approved" },
    }));
    const seconds = RESUMED / RESUMED_PER_SECOND;
    await runLoad({ port, requests, connections: 16, seconds, perSecond: RESUMED_PER_SECOND });
    await sleep(2_000);
    const delaysMs = await readers.stop();
    progress(`${delaysMs.length} changes of ${RESUMED} runs arrived`);

    await sleep(SETTLE_MS);
    const before = { rss: await residentBytes(child.pid), transactions: await transactions(service) };
    await sleep(SETTLE_MS);
    const idleTransactions = (await transactions(service)) - before.transactions;
    const many = await openStreams({ port, key, runIds: runIds.slice(-(MANY - RESUMED)) });
    const rest = await openStreams({ port, key, runIds: runIds.slice(-RESUMED) });
    await sleep(SETTLE_MS);
    const opened = { rss: await residentBytes(child.pid), transactions: await transactions(service) };
    await sleep(SETTLE_MS);
    const openTransactions = (await transactions(service)) - opened.transactions;
    await many.stop();
    await rest.stop();
    await service.remove();
    return [
      {
        name: `change → stream event, ${WATCHED.toLocaleString("en")} streams, p50`,
        unit: "ms",
        service: percentile(delaysMs, 50),
        bar: { most: 15 },
        note: `${delaysMs.length} changes`,
      },
      {
        name: `change → stream event, ${WATCHED.toLocaleString("en")} streams, p99`,
        unit: "ms",
        service: percentile(delaysMs, 99),
        bar: { most: 100 },
        note: `latest ${Math.round(percentile(delaysMs, 100))} ms`,
      },
      {
        name: `memory of ${MANY.toLocaleString("en")} open streams`,
        unit: "MB",
        service: (opened.rss - before.rss) / 1e6,
        bar: { most: 150 },
        note: `transactions in ${SETTLE_MS / 1000} s: ${idleTransactions} before, ${openTransactions} with them`,
      },
    ];
  },
};

async function pausedRuns({ database }: Installation): Promise<string[]> {
  const endAtMs = performance.now() + MAX_MS;
  for (;;) {
    const { rows } = await database.pool.query(`SELECT id FROM runs WHERE status = 'PAUSED' ORDER BY id`);
    if (rows.length >= MANY) return rows.map(({ id }) => id);
    if (performance.now() > endAtMs) throw new Error(`Only ${rows.length} runs are paused.`);
    await sleep(200);
  }
}

async function transactions({ database }: Installation): Promise<number> {
  const { rows } = await database.pool.query(
    `SELECT xact_commit AS count FROM pg_stat_database WHERE datname = current_database()`,
  );
  return rows[0].count;
}
