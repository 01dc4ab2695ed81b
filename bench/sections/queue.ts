import { setTimeout as sleep } from "node:timers/promises";
import type { Figure } from "../support/figures.ts";
import { formatRequest, HttpConnection } from "../support/http-connection.ts";
import type { Bench, Section } from "../support/section.ts";
import { seedQueue } from "../support/seed.ts";
import { type Installation, install } from "../support/service.ts";
import { median } from "../support/statistics.ts";
import { flow, organization, ORGANIZATION, THREE_NODES, trigger } from "../support/workspace.ts";

const LIMIT = 100;
const SHORT = 1_000;
const LONG = 1_000_000;
const NEIGHBOURS = 5;
const MAX_MS = 60_000;

export const queue: Section = {
  name: "queue",
  summary: "dispatch with 1,000,000 queued against 1,000, and what another organization feels of it",
  async run(bench): Promise<Figure[]> {
    const short = await prepare(bench, "queue_short");
    const long = await prepare(bench, "queue_long");
    bench.progress(`seeding ${LONG.toLocaleString("en")} queue items`);
    await seedQueue(long.database.pool, { ...long.queue, count: LONG });
    const process = await long.start("start");
    await untilCompleted(long, SHORT);
    // The process of the long queue dispatches all the time; it rests while the short one is measured.
    await process.child.stop();
    await short.start("start");
    const rates = { short: [] as number[], long: [] as number[] };
    for (let round = 0; round < bench.rounds + 1; round++) {
      const before = await countCompleted(short);
      await seedQueue(short.database.pool, { ...short.queue, count: SHORT });
      await untilCompleted(short, before + SHORT);
      const rate = await rateOfLast(short, SHORT);
      bench.progress(`round ${round}: ${Math.round(rate)}/s with ${SHORT} queued`);
      if (round > 0) rates.short.push(rate);
    }
    await short.remove();

    const again = await long.start("start");
    for (let round = 0; round < bench.rounds + 1; round++) {
      await untilCompleted(long, (await countCompleted(long)) + SHORT);
      const rate = await rateOfLast(long, SHORT);
      bench.progress(`round ${round}: ${Math.round(rate)}/s with ${LONG} queued`);
      if (round > 0) rates.long.push(rate);
    }
    const startsMs = await firstTriggers(long, again.port);
    const statements = await bench.cluster.topStatements(long.database, 12);
    if (statements) bench.progress(`statements with ${LONG} queued:\n${statements}`);
    await long.remove();
    return [
      {
        name: `dispatched with ${LONG.toLocaleString("en")} queued`,
        unit: "/s",
        service: median(rates.long),
        reference: median(rates.short),
        bar: { least: 0.8 },
        note: `reference: ${SHORT} queued`,
      },
      {
        name: "first trigger of another organization starts",
        unit: "ms",
        service: Math.max(...startsMs),
        bar: { most: 1_000 },
        note: `the latest of ${NEIGHBOURS}, while more than 100,000 are queued`,
      },
    ];
  },
};

interface Prepared extends Installation {
  readonly queue: { organizationId: string; flowId: string; version: string };
}

async function prepare({ cluster, profileDirectory }: Bench, name: string): Promise<Prepared> {
  const service = await install(cluster, name, { profileDirectory });
  const neighbours = Array.from({ length: NEIGHBOURS }, (_, at) => `org_neighbour_${at}`);
  await service.apply([
    organization(ORGANIZATION, { concurrency: LIMIT, queue: 2 * LONG }),
    flow(ORGANIZATION, "flow_three", THREE_NODES),
    ...neighbours.flatMap((id) => [
      organization(id, { concurrency: 10 }),
      flow(id, `flow_${id}`, THREE_NODES),
    ]),
  ]);
  const { rows } = await service.database.pool.query(`SELECT version FROM flows WHERE id = 'flow_three'`);
  return {
    ...service,
    queue: { organizationId: ORGANIZATION, flowId: "flow_three", version: rows[0].version },
  };
}

async function countCompleted({ database }: Installation): Promise<number> {
  const { rows } = await database.pool.query(
    `SELECT count(*) AS count FROM runs WHERE organization_id = $1 AND status = 'COMPLETED'`,
    [ORGANIZATION],
  );
  return rows[0].count;
}

async function untilCompleted(service: Installation, count: number): Promise<void> {
  const endAtMs = performance.now() + MAX_MS;
  while ((await countCompleted(service)) < count) {
    if (performance.now() > endAtMs) throw new Error("The queue does not move.");
    await sleep(100);
  }
}

/** By the times in the rows, so that nothing has to be asked while it is measured. */
async function rateOfLast({ database }: Installation, count: number): Promise<number> {
  const { rows } = await database.pool.query(
    `SELECT count(*) / extract(epoch FROM max(completed_at) - min(started_at))::float8 AS rate
       FROM (SELECT started_at, completed_at FROM runs WHERE status = 'COMPLETED' ORDER BY completed_at DESC LIMIT $1) AS last`,
    [count],
  );
  return rows[0].rate;
}

/** From the trigger of an organization that was idle until its run has started. */
async function firstTriggers(service: Installation, port: number): Promise<number[]> {
  const connection = await HttpConnection.open(port);
  const times: number[] = [];
  for (let at = 0; at < NEIGHBOURS; at++) {
    const id = `org_neighbour_${at}`;
    const key = await service.createKey(id);
    const askedAtMs = Date.now();
    const { status, body } = await connection.send(formatRequest(trigger(`flow_${id}`, key)));
    if (status !== 201) throw new Error(`The neighbour's trigger was answered ${status}: ${body.toString()}`);
    const { data } = JSON.parse(body.toString()) as { data: { id: string } };
    for (;;) {
      const { rows } = await service.database.pool.query(
        `SELECT started_at AS "startedAt" FROM runs WHERE organization_id = $1 AND id = $2 AND started_at IS NOT NULL`,
        [id, data.id],
      );
      if (rows[0]) {
        times.push(rows[0].startedAt.getTime() - askedAtMs);
        break;
      }
      if (Date.now() - askedAtMs > MAX_MS) throw new Error("The neighbour's run does not start.");
      await sleep(20);
    }
  }
  connection.close();
  return times;
}
