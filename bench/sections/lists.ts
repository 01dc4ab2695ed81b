import { lowestIdAt } from "../../packages/server/src/domain/ids.ts";
import type { BenchDatabase } from "../support/cluster.ts";
import type { Figure } from "../support/figures.ts";
import type { HttpRequest } from "../support/http-connection.ts";
import { runLoad } from "../support/load.ts";
import type { LoadReport } from "../support/load-plan.ts";
import type { Bench, Section } from "../support/section.ts";
import { seedHistory } from "../support/seed.ts";
import { install } from "../support/service.ts";
import { median } from "../support/statistics.ts";
import { flow, organization, ORGANIZATION, THREE_NODES } from "../support/workspace.ts";

const FEW = 10_000;
const MANY = 1_000_000;
const REQUESTS = 150;

/** Every filter of the lists, and some together. */
const QUERIES: Readonly<Record<string, string>> = {
  "all runs": "/api/runs",
  "page of 100": "/api/runs?page[size]=100",
  "status COMPLETED": "/api/runs?filter[status]=COMPLETED",
  "status FAILED": "/api/runs?filter[status]=FAILED",
  "status CRASHED": "/api/runs?filter[status]=CRASHED",
  "status WAITING (none)": "/api/runs?filter[status]=WAITING",
  "tag on a third": "/api/runs?filter[tag]=common",
  "rare tag": "/api/runs?filter[tag]=rare",
  "rare tag, FAILED": "/api/runs?filter[tag]=rare&filter[status]=FAILED",
  version: "/api/runs?filter[version]=20260101.3",
  tests: "/api/runs?filter[isTest]=true",
  "sub-flows": "/api/runs?filter[taskIdentifier]=execute-subflow",
  today: "/api/runs?filter[createdAt][period]=today",
  "runs of a flow": "/api/flows/flow_4/runs",
  "FAILED of a flow": "/api/flows/flow_7/runs?filter[status]=FAILED",
};

export const lists: Section = {
  name: "lists",
  summary: "lists and get run at 1,000,000 runs against 10,000",
  async run(bench): Promise<Figure[]> {
    const few = await prepare(bench, "lists_few", FEW);
    const many = await prepare(bench, "lists_many", MANY);
    const figures: Figure[] = [];
    for (const name of [...Object.keys(QUERIES), "get run"]) {
      const rounds: { few: LoadReport; many: LoadReport }[] = [];
      for (let round = 0; round < bench.rounds; round++) {
        rounds.push({ few: await few.ask(name), many: await many.ask(name) });
      }
      const of = (read: (round: (typeof rounds)[number]) => number) => median(rounds.map(read));
      const figure = {
        name: `${name}, p50`,
        unit: "ms",
        service: of(({ many }) => many.p50Ms),
        reference: of(({ few }) => few.p50Ms),
        bar: { most: 1.5 },
        note: `p99 ${of(({ many }) => many.p99Ms).toFixed(1)} against ${of(({ few }) => few.p99Ms).toFixed(1)} ms`,
      };
      figures.push(figure);
      bench.progress(`${name}: p50 ${figure.service.toFixed(2)} against ${figure.reference.toFixed(2)} ms`);
    }
    await few.remove();
    await many.remove();
    return figures;
  },
};

async function prepare({ cluster, progress, profileDirectory }: Bench, name: string, count: number) {
  const service = await install(cluster, name, { profileDirectory });
  const flows = Array.from({ length: 10 }, (_, at) => flow(ORGANIZATION, `flow_${at}`, THREE_NODES));
  await service.apply([organization(ORGANIZATION), ...flows]);
  const startedAtMs = performance.now();
  await seedHistory(service.database.pool, ORGANIZATION, count);
  progress(
    `${count.toLocaleString("en")} runs seeded in ${Math.round((performance.now() - startedAtMs) / 1000)} s`,
  );
  const key = await service.createKey(ORGANIZATION);
  const { port } = await service.start("start");
  const some = await someRuns(service.database);
  return {
    remove: () => service.remove(),
    ask: async (name: string): Promise<LoadReport> => {
      const paths = name === "get run" ? some.map((id) => `/api/runs/${id}`) : [QUERIES[name]!];
      const requests = paths.map((path): HttpRequest => ({
        method: "GET",
        path: path.replaceAll("[", "%5B").replaceAll("]", "%5D"),
        headers: { authorization: `Bearer ${key}` },
      }));
      const report = await runLoad({ port, requests, connections: 1, seconds: 60, most: REQUESTS });
      if (report.statuses[200] !== report.answers)
        throw new Error(`${name} was answered ${JSON.stringify(report.statuses)}`);
      return report;
    },
  };
}

async function someRuns({ pool }: BenchDatabase): Promise<string[]> {
  const { rows } = await pool.query(`SELECT id FROM runs TABLESAMPLE SYSTEM (1) WHERE id > $1 LIMIT 200`, [
    lowestIdAt("run", 0),
  ]);
  return rows.map(({ id }) => id);
}
