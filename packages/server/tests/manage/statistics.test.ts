import { flowStatisticsAnswer, runCountsAnswer } from "@millrace/contract/manage/statistics";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lowestIdAt } from "../../src/domain/ids.ts";
import { StatisticsDesk } from "../../src/operations/statistics/statistics-desk.ts";
import { addCheckpoint, addRun, nodeRecord } from "../support/runs.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { addFlow, addTwoOrganizations } from "../support/workspace.ts";

let service: TestService;
let keys: Awaited<ReturnType<typeof addTwoOrganizations>>;
/** The beginning of a minute that is over. */
const minuteMs = Math.floor(Date.now() / 60_000) * 60_000 - 600_000;
beforeAll(async () => {
  // Nobody executes what waits here.
  service = await startTestService({}, { role: "api" });
  keys = await addTwoOrganizations(service.database.pool);
});
afterAll(() => service.stop());

const iso = (ms: number) => new Date(ms).toISOString();

async function counts(query: string, key = keys.one) {
  const { status, body } = await service.get(`/manage/runs/counts${query}`, key);
  expect([status, body.issues]).toEqual([200, undefined]);
  return runCountsAnswer.parse(body).data;
}

describe("counts of runs", () => {
  beforeAll(async () => {
    const { pool } = service.database;
    await addFlow(pool, "org_one", "flow_other");
    const at = (ms: number, rest: object) => addRun(pool, { createdAtMs: minuteMs + ms, ...rest });
    await at(0, { status: "COMPLETED" });
    await at(59_999, { status: "FAILED" });
    await at(60_000, { status: "COMPLETED", flowId: "flow_other" });
    await at(60_001, { status: "COMPLETED" });
    await at(60_002, { status: "WAITING", stage: "delayed" });
    await at(200_000, { status: "COMPLETED", organizationId: "org_two", flowId: "flow_two" });
  });

  it("are those of each minute, with its first moment and without the next one's", async () => {
    const answer = await counts(
      `?filter[createdAt][from]=${iso(minuteMs)}&filter[createdAt][to]=${iso(minuteMs + 119_000)}`,
    );
    expect(answer).toEqual({
      from: iso(minuteMs),
      to: iso(minuteMs + 120_000),
      complete: true,
      totals: { COMPLETED: 3, FAILED: 1, WAITING: 1 },
      minutes: [
        { minute: iso(minuteMs), counts: { COMPLETED: 1, FAILED: 1 } },
        { minute: iso(minuteMs + 60_000), counts: { COMPLETED: 2, WAITING: 1 } },
      ],
    });
  });

  it("are of the last hour where nothing is said, of one flow, and of one's own organization", async () => {
    expect((await counts("")).totals).toEqual({ COMPLETED: 3, FAILED: 1, WAITING: 1 });
    expect((await counts("?filter[flowId]=flow_other")).totals).toEqual({ COMPLETED: 1 });
    expect((await counts("", keys.two)).minutes).toEqual([
      { minute: iso(minuteMs + 180_000), counts: { COMPLETED: 1 } },
    ]);
    const { status } = await service.get("/manage/runs/counts?filter[createdAt][period]=week", keys.one);
    expect(status).toBe(400);
  });
});

describe("a question about runs", () => {
  it("is answered from the rows at most every five seconds, however many ask", async () => {
    let nowMs = 1_000;
    const desk = new StatisticsDesk(service.database.pool, { now: () => nowMs });
    let reads = 0;
    const ask = (question: string) => desk.ask(question, async () => (reads += 1));
    expect(await Promise.all([ask("one"), ask("one"), ask("other")])).toEqual([1, 1, 2]);
    nowMs += 4_999;
    expect(await ask("one")).toBe(1);
    nowMs += 2;
    expect(await ask("one")).toBe(3);
  });
});

describe("statistics of a flow", () => {
  async function statistics(flowId: string, query = "") {
    const { status, body } = await service.get(`/manage/flows/${flowId}/statistics${query}`, keys.one);
    expect([status, body.issues]).toEqual([200, undefined]);
    return flowStatisticsAnswer.parse(body).data;
  }

  it("are percentiles and error rates of what has ended, node by node", async () => {
    const { pool } = service.database;
    await addFlow(pool, "org_one", "flow_measured");
    for (let at = 1; at <= 100; at += 1) {
      const createdAtMs = minuteMs + 300_000 + at;
      const id = lowestIdAt("run", createdAtMs);
      await addRun(pool, {
        id,
        createdAtMs,
        flowId: "flow_measured",
        status: at % 10 === 0 ? "FAILED" : "COMPLETED",
        durationMs: at * 10,
        nodes: [
          nodeRecord("start", 0, { type: "start", endedAt: 1 }),
          nodeRecord(`leaf[${at}]`, 0, { endedAt: at }),
        ],
      });
      const failed = at % 4 === 0 ? { status: "FAILED" as const, output: { text: "x".repeat(5_000) } } : {};
      await addCheckpoint(
        pool,
        "org_one",
        id,
        nodeRecord("call", 0, { type: "http-request", endedAt: at * 2, ...failed }),
      );
    }
    await addRun(pool, { createdAtMs: minuteMs + 300_000, flowId: "flow_measured", status: "CANCELED" });
    const { runs, nodes, sampledRuns } = await statistics("flow_measured");
    expect(runs).toEqual({ ended: 100, failed: 10, errorRate: 0.1, p50Seconds: 0.505, p95Seconds: 0.9505 });
    expect(sampledRuns).toBe(100);
    expect(nodes).toEqual([
      {
        nodeId: "call",
        type: "http-request",
        executions: 100,
        failed: 25,
        errorRate: 0.25,
        p50Seconds: 0.101,
        p95Seconds: 0.1901,
      },
      {
        nodeId: "leaf",
        type: "set",
        executions: 100,
        failed: 0,
        errorRate: 0,
        p50Seconds: 0.0505,
        p95Seconds: 0.09505,
      },
      {
        nodeId: "start",
        type: "start",
        executions: 100,
        failed: 0,
        errorRate: 0,
        p50Seconds: 0.001,
        p95Seconds: 0.001,
      },
    ]);
    const early = await statistics("flow_measured", `?filter[createdAt][to]=${iso(minuteMs - 60_000)}`);
    expect(early.runs).toEqual({ ended: 0, failed: 0, errorRate: null, p50Seconds: null, p95Seconds: null });
  });

  it("of a flow of another organization are not found", async () => {
    const { status, body } = await service.get("/manage/flows/flow_two/statistics", keys.one);
    expect([status, body.code]).toEqual([404, "flow_not_found"]);
  });
});
