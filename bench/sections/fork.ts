import type { Figure } from "../support/figures.ts";
import type { HttpRequest } from "../support/http-connection.ts";
import { runLoad } from "../support/load.ts";
import type { LoadReport } from "../support/load-plan.ts";
import type { Section } from "../support/section.ts";
import { type Installation, install } from "../support/service.ts";
import { median } from "../support/statistics.ts";
import { flow, organization, ORGANIZATION, trigger } from "../support/workspace.ts";

const RUNS = 200;
const REQUESTS = 600;

/** Ten nodes that are copied, and one that is executed again. */
const NODES = [
  { id: "start", type: "start" },
  ...Array.from({ length: 10 }, (_, at) => ({
    id: `step_${at}`,
    type: "set",
    inputs: { values: { text: `{{ data.name }} ${at}` } },
  })),
  { id: "done", type: "return", inputs: { value: { text: "{{ nodes.step_9.text }}" } } },
];

export const fork: Section = {
  name: "fork",
  summary: "forking a run at its last node against triggering one, and comparing two runs",
  async run({ cluster, rounds, progress, profileDirectory }): Promise<Figure[]> {
    const service = await install(cluster, "fork", { profileDirectory });
    await service.apply([organization(ORGANIZATION), flow(ORGANIZATION, "flow_steps", NODES)]);
    const key = await service.createKey(ORGANIZATION);
    const { port } = await service.start("start");
    const ask = async (requests: readonly HttpRequest[], status: number, most = REQUESTS) => {
      const report = await runLoad({ port, requests, connections: 1, seconds: 60, most });
      if (report.statuses[status] !== report.answers)
        throw new Error(`${requests[0]!.path} was answered ${JSON.stringify(report.statuses)}`);
      return report;
    };
    await ask([trigger("flow_steps", key)], 201, RUNS);
    const ids = await completedRuns(service);
    const headers = { authorization: `Bearer ${key}` };
    const forks = ids.map((id): HttpRequest => ({
      method: "POST",
      path: `/api/runs/${id}/fork`,
      headers,
      body: { from: "done" },
    }));
    const compares = ids.map((id, at): HttpRequest => ({
      method: "GET",
      path: `/api/runs/${id}/compare/${ids[(at + 1) % ids.length]}`,
      headers,
    }));
    const reports: Record<"trigger" | "fork" | "compare", LoadReport>[] = [];
    for (let round = 0; round <= rounds; round++) {
      const report = {
        trigger: await ask([trigger("flow_steps", key)], 201),
        fork: await ask(forks, 201),
        compare: await ask(compares, 200),
      };
      progress(
        `round ${round}: fork p50 ${report.fork.p50Ms.toFixed(2)} ms, compare p50 ${report.compare.p50Ms.toFixed(2)} ms`,
      );
      if (round > 0) reports.push(report);
    }
    await service.remove();
    const of = (name: keyof (typeof reports)[number], figure: "p50Ms" | "p99Ms") =>
      median(reports.map((report) => report[name][figure]));
    return [
      {
        name: "fork at the last of 12 nodes, p50",
        unit: "ms",
        service: of("fork", "p50Ms"),
        reference: of("trigger", "p50Ms"),
        note: `reference: a trigger; p99 ${of("fork", "p99Ms").toFixed(1)} ms`,
      },
      {
        name: "compare two runs of 12 nodes, p50",
        unit: "ms",
        service: of("compare", "p50Ms"),
        note: `p99 ${of("compare", "p99Ms").toFixed(1)} ms`,
      },
    ];
  },
};

async function completedRuns({ database }: Installation): Promise<string[]> {
  const endAtMs = performance.now() + 60_000;
  for (;;) {
    const { rows } = await database.pool.query(
      `SELECT id FROM runs WHERE status = 'COMPLETED' LIMIT ${RUNS}`,
    );
    if (rows.length === RUNS) return rows.map(({ id }) => id as string);
    if (performance.now() > endAtMs) throw new Error("The runs do not end.");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
