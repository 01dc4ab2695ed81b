import { setTimeout as sleep } from "node:timers/promises";
import { formatRequest, HttpConnection } from "../support/http-connection.ts";
import { runLoad } from "../support/load.ts";
import type { LoadReport } from "../support/load-plan.ts";
import type { Section } from "../support/section.ts";
import { median, percentile } from "../support/statistics.ts";
import { withReference } from "../support/with-reference.ts";
import { flow, organization, ORGANIZATION, THREE_NODES, trigger } from "../support/workspace.ts";

const PER_SECOND = 200;
const CONNECTIONS = 64;
const ONE_AT_A_TIME = 200;
const REST_MS = 10;

export const latency: Section = {
  name: "latency",
  summary: `how fast a trigger is answered at ${PER_SECOND} a second, and completed when nothing else happens`,
  run: (bench) =>
    withReference(
      bench,
      "latency",
      {
        organizationId: ORGANIZATION,
        documents: [organization(ORGANIZATION), flow(ORGANIZATION, "flow_three", THREE_NODES)],
      },
      async ({ reference, process, key }) => {
        const bare = { port: reference.port, requests: [trigger("flow_three")] };
        const full = { port: process.port, requests: [trigger("flow_three", key)] };
        const busy = { connections: CONNECTIONS, perSecond: PER_SECOND };
        const idle = { connections: 1, most: ONE_AT_A_TIME, seconds: 30, pauseMs: REST_MS };
        const measured = {
          bare: [] as LoadReport[],
          full: [] as LoadReport[],
          bareIdle: [] as LoadReport[],
          completed: [] as number[][],
        };
        for (const target of [bare, full]) await runLoad({ ...target, connections: 32, seconds: 3 });
        for (let round = 1; round <= bench.rounds; round++) {
          measured.bare.push(await runLoad({ ...bare, ...busy, seconds: bench.seconds }));
          measured.full.push(await runLoad({ ...full, ...busy, seconds: bench.seconds }));
          measured.bareIdle.push(await runLoad({ ...bare, ...idle }));
          measured.completed.push(await untilCompleted(process.port, key));
          const [one, other] = [measured.bare.at(-1)!, measured.full.at(-1)!];
          bench.progress(
            `round ${round}: p50 ${one.p50Ms.toFixed(1)} and ${other.p50Ms.toFixed(1)} ms, p99 ${one.p99Ms.toFixed(1)} and ${other.p99Ms.toFixed(1)} ms, completed ${median(measured.completed.at(-1)!).toFixed(1)} ms`,
          );
        }
        const of = (reports: readonly LoadReport[], read: (report: LoadReport) => number) =>
          median(reports.map(read));
        return [
          {
            name: `trigger answered at ${PER_SECOND}/s, p50`,
            unit: "ms",
            service: of(measured.full, ({ p50Ms }) => p50Ms),
            reference: of(measured.bare, ({ p50Ms }) => p50Ms),
            bar: { most: 2.5 },
          },
          {
            name: `trigger answered at ${PER_SECOND}/s, p99`,
            unit: "ms",
            service: of(measured.full, ({ p99Ms }) => p99Ms),
            reference: of(measured.bare, ({ p99Ms }) => p99Ms),
            bar: { most: 3 },
          },
          {
            name: "trigger → COMPLETED seen, idle, p50",
            unit: "ms",
            service: median(measured.completed.map((times) => median(times))),
            reference: of(measured.bareIdle, ({ p50Ms }) => p50Ms),
            bar: { most: 4 },
            note: `p99 ${median(measured.completed.map((times) => percentile(times, 99))).toFixed(1)} ms; reference: its answer`,
          },
        ];
      },
    ),
};

/** One run after the other: from the trigger until get run says COMPLETED, asked without a pause. */
async function untilCompleted(port: number, key: string): Promise<number[]> {
  const connection = await HttpConnection.open(port);
  const request = formatRequest(trigger("flow_three", key));
  const times: number[] = [];
  for (let count = 0; count < ONE_AT_A_TIME; count++) {
    const startedAtMs = performance.now();
    const { body } = await connection.send(request);
    const { data } = JSON.parse(body.toString()) as { data: { id: string } };
    const look = formatRequest({
      method: "GET",
      path: `/api/runs/${data.id}`,
      headers: { authorization: `Bearer ${key}` },
    });
    while (!(await connection.send(look)).body.includes('"COMPLETED"')) {
      if (performance.now() - startedAtMs > 10_000) throw new Error(`The run ${data.id} did not complete.`);
    }
    times.push(performance.now() - startedAtMs);
    await sleep(REST_MS);
  }
  connection.close();
  return times;
}
