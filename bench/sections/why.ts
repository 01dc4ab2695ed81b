import type { BenchDatabase } from "../support/cluster.ts";
import type { Figure } from "../support/figures.ts";
import type { HttpRequest } from "../support/http-connection.ts";
import { runLoad } from "../support/load.ts";
import type { Section } from "../support/section.ts";
import { seedHistory, seedQueue } from "../support/seed.ts";
import { install } from "../support/service.ts";
import { median } from "../support/statistics.ts";
import { flow, organization, ORGANIZATION, THREE_NODES } from "../support/workspace.ts";

const QUEUED = 1_000_000;
const COMPLETED = 10_000;
const SLOTS = 100;
const ASKED = 400;
const REQUESTS = 2_000;

export const why: Section = {
  name: "why",
  summary: "why a run waits, beside 1,000,000 queued runs of the same organization",
  async run({ cluster, rounds, progress, profileDirectory }): Promise<Figure[]> {
    const service = await install(cluster, "why", { profileDirectory });
    await service.apply([
      organization(ORGANIZATION, { concurrency: SLOTS, queue: 2 * QUEUED }),
      flow(ORGANIZATION, "flow_0", THREE_NODES),
    ]);
    const { pool } = service.database;
    const { rows } = await pool.query(`SELECT version FROM flows WHERE id = 'flow_0'`);
    const { version } = rows[0] as { version: string };
    await seedHistory(pool, ORGANIZATION, COMPLETED);
    await holdSlots(service.database, version);
    progress(`seeding ${QUEUED.toLocaleString("en")} queue items`);
    await seedQueue(pool, { organizationId: ORGANIZATION, flowId: "flow_0", version, count: QUEUED });
    const key = await service.createKey(ORGANIZATION);
    // Without a worker: the queue stays as long as it is.
    const { port } = await service.start("api");
    const figures: Figure[] = [];
    for (const [name, ids] of Object.entries(await someQueued(service.database))) {
      const requests = ids.map((id): HttpRequest => ({
        method: "GET",
        path: `/api/runs/${id}/why`,
        headers: { authorization: `Bearer ${key}` },
      }));
      const ask = () => runLoad({ port, requests, connections: 1, seconds: 60, most: REQUESTS });
      await ask();
      const reports = [];
      for (let round = 0; round < rounds; round++) reports.push(await ask());
      if (reports.some(({ statuses, answers }) => statuses[200] !== answers))
        throw new Error(`why was answered ${JSON.stringify(reports.map(({ statuses }) => statuses))}`);
      figures.push({
        name: `why, ${name}, p99`,
        unit: "ms",
        service: median(reports.map(({ p99Ms }) => p99Ms)),
        bar: { most: 5 },
        note: `p50 ${median(reports.map(({ p50Ms }) => p50Ms)).toFixed(2)} ms`,
      });
    }
    await service.remove();
    return figures;
  },
};

/** Runs that execute in a process that is not there, so that nobody finishes them. */
async function holdSlots({ pool }: BenchDatabase, version: string): Promise<void> {
  await pool.query(
    `INSERT INTO runs (organization_id, id, flow_id, version, status, stage, answered_queued, epoch, process_id, max_duration_ms,
       claimed_at, deadline_at, trigger_source, started_at, updated_at)
     SELECT $1, 'run_' || lpad(at::text, 24, '0'), 'flow_0', $2, 'EXECUTING', 'admitted', false, 1, gen_random_uuid(), 3600000,
       now(), now() + interval '1 hour', 'api', now(), now() FROM generate_series(1, ${SLOTS}) AS at`,
    [ORGANIZATION, version],
  );
}

/** From the head of the queue, from where counting is dearest, and from anywhere. */
async function someQueued({ pool }: BenchDatabase): Promise<Record<string, string[]>> {
  const queued = `FROM runs WHERE organization_id = $1 AND status = 'WAITING' AND stage = 'queued'`;
  const read = async (text: string) =>
    (await pool.query(text, [ORGANIZATION])).rows.map(({ id }) => id as string);
  return {
    "the first 1,000": await read(
      `SELECT id FROM (SELECT id ${queued} ORDER BY priority DESC, id LIMIT 1000) AS q ORDER BY random() LIMIT ${ASKED}`,
    ),
    "about the 5,000th": await read(
      `SELECT id ${queued} ORDER BY priority DESC, id OFFSET 4600 LIMIT ${ASKED}`,
    ),
    anywhere: await read(`SELECT id ${queued} ORDER BY random() LIMIT ${ASKED}`),
  };
}
