import { errorBody } from "@millrace/contract/envelope";
import { runStatuses } from "@millrace/contract/run-status";
import { flowRunsAnswer, runsAnswer } from "@millrace/contract/runs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { encodeCursor } from "../../src/domain/cursor.ts";
import { addRun, moveRun } from "../support/runs.ts";
import { type ReadService, startReadService } from "./read-service.ts";

let service: ReadService;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const now = Date.now();

beforeAll(async () => {
  service = await startReadService();
});
afterAll(() => service.stop());

async function idsOf(path: string, key?: string): Promise<string[]> {
  const { status, body } = await service.get(path, key);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data.data.map((run: { id: string }) => run.id);
}

describe("the list of all runs", () => {
  it("shows every field of the contract and only those that have a value", async () => {
    const parent = await addRun(service.pool, {
      status: "COMPLETED",
      tags: ["shape"],
      triggerSource: "webhook",
    });
    const child = await addRun(service.pool, { tags: ["shape"], parentRunId: parent });
    const { body } = await service.get("/api/runs?filter[tag]=shape");
    expect(runsAnswer.parse(body).data.pagination).toEqual({});
    const [waiting, completed] = body.data.data;
    expect(waiting).toMatchObject({ id: child, status: "WAITING", taskIdentifier: "execute-subflow" });
    expect(Object.keys(waiting)).not.toContain("startedAt");
    expect(completed).toEqual({
      id: parent,
      status: "COMPLETED",
      taskIdentifier: "execute-flow",
      version: "20260101.1",
      payload: { organizationId: "org_one", flowId: "flow_one", triggerSource: "webhook" },
      tags: ["shape"],
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      startedAt: expect.any(String),
      completedAt: expect.any(String),
    });
    expect(Math.abs(Date.parse(completed.createdAt) - Date.now())).toBeLessThan(60_000);
  });

  it("covers every organization of a user key, in one order, and none of somebody else's", async () => {
    const first = await addRun(service.pool, { tags: ["both"] });
    const second = await addRun(service.pool, {
      tags: ["both"],
      organizationId: "org_two",
      flowId: "flow_two",
    });
    const third = await addRun(service.pool, { tags: ["both"] });
    expect(await idsOf("/api/runs?filter[tag]=both", service.keys.user)).toEqual([third, second, first]);
    expect(await idsOf("/api/runs?filter[tag]=both", service.keys.two)).toEqual([second]);
    expect(
      await idsOf("/api/runs?filter[tag]=both&filter[organizationId]=org_two", service.keys.user),
    ).toEqual([second]);
    expect((await service.get("/api/runs?organizationId=org_two")).status).toBe(403);
  });

  it("takes any of several statuses", async () => {
    const tag = "filter[tag]=statuses";
    const tags = ["statuses"];
    const failed = await addRun(service.pool, { tags, status: "FAILED" });
    const crashed = await addRun(service.pool, { tags, status: "CRASHED" });
    await addRun(service.pool, { tags, status: "COMPLETED" });
    expect(await idsOf(`/api/runs?${tag}&filter[status]=FAILED,CRASHED`)).toEqual([crashed, failed]);
    expect(await idsOf(`/api/runs?${tag},none&filter[status]=COMPLETED,FAILED`)).toHaveLength(2);
    const byStatusAlone = await idsOf("/api/runs?filter[status]=FAILED,CRASHED");
    expect(byStatusAlone.slice(0, 2)).toEqual([crashed, failed]);
  });

  it("finds a tagged run under the status it has now, and under no other", async () => {
    const id = await addRun(service.pool, { tags: ["moving", "too"], status: "WAITING" });
    for (const status of ["EXECUTING", "PAUSED", "WAITING", "EXECUTING", "FAILED"] as const) {
      await moveRun(service.pool, id, status);
      const others = runStatuses.filter((other) => other !== status);
      expect(await idsOf(`/api/runs?filter[tag]=moving&filter[status]=${status}`)).toEqual([id]);
      expect(await idsOf(`/api/runs?filter[tag]=moving,too&filter[status]=${others.join(",")}`)).toEqual([]);
    }
    expect(await idsOf("/api/runs?filter[tag]=moving")).toEqual([id]);
  });

  it("takes any of several tags and shows a run with both once", async () => {
    const both = await addRun(service.pool, { tags: ["tag-a", "tag-b"] });
    const second = await addRun(service.pool, { tags: ["tag-b"] });
    await addRun(service.pool, { tags: ["tag-c"] });
    expect(await idsOf("/api/runs?filter[tag]=tag-a,tag-b")).toEqual([second, both]);
  });

  it("filters by what started the runs, beside any other filter", async () => {
    const tags = ["sources"];
    const hook = await addRun(service.pool, { tags, triggerSource: "webhook" });
    const clock = await addRun(service.pool, { tags, triggerSource: "schedule" });
    await addRun(service.pool, { tags });
    const sources = "filter[triggerSource]=webhook,schedule";
    expect(await idsOf(`/api/runs?filter[tag]=sources&${sources}`)).toEqual([clock, hook]);
    expect(await idsOf(`/api/runs?${sources}&filter[flowId]=flow_one&page[size]=2`)).toEqual([clock, hook]);
    const { status, body } = await service.get("/api/runs?filter[triggerSource]=moon");
    expect([status, body.issues[0].path]).toEqual([400, ["filter[triggerSource]"]]);
  });

  it("filters by version, by task and by isTest", async () => {
    const tags = ["kinds"];
    const test = await addRun(service.pool, { tags, isTest: true, version: "20260303.1" });
    const child = await addRun(service.pool, { tags, parentRunId: test, version: "20260303.2" });
    expect(await idsOf("/api/runs?filter[version]=20260303.1,20260303.2")).toEqual([child, test]);
    expect(await idsOf("/api/runs?filter[version]=20260303.2&filter[status]=WAITING")).toEqual([child]);
    expect(await idsOf("/api/runs?filter[tag]=kinds&filter[isTest]=false")).toEqual([child]);
    expect(await idsOf("/api/runs?filter[isTest]=true")).toEqual([test]);
    expect(await idsOf("/api/runs?filter[tag]=kinds&filter[taskIdentifier]=execute-subflow")).toEqual([
      child,
    ]);
    expect(await idsOf("/api/runs?filter[tag]=kinds&filter[taskIdentifier]=execute-flow")).toEqual([test]);
    expect(
      await idsOf("/api/runs?filter[tag]=kinds&filter[taskIdentifier]=execute-flow,execute-subflow"),
    ).toEqual([child, test]);
    expect(await idsOf("/api/runs?filter[taskIdentifier]=something-else")).toEqual([]);
  });

  it("filters by time with both ends included, and lets period and bounds work together", async () => {
    const tags = ["times"];
    const at = (agoMs: number) => addRun(service.pool, { tags, createdAtMs: now - agoMs });
    const old = await at(10 * DAY_MS);
    const middle = await at(2 * HOUR_MS);
    const recent = await at(60_000);
    const list = (filter: string) => idsOf(`/api/runs?filter[tag]=times&${filter}`);
    const iso = (agoMs: number) => new Date(now - agoMs).toISOString();
    expect(await list(`filter[createdAt][from]=${iso(2 * HOUR_MS)}`)).toEqual([recent, middle]);
    expect(await list(`filter[createdAt][to]=${iso(2 * HOUR_MS)}`)).toEqual([middle, old]);
    expect(await list(`filter[createdAt][from]=${iso(2 * HOUR_MS - 1)}`)).toEqual([recent]);
    expect(await list("filter[createdAt][period]=hour")).toEqual([recent]);
    expect(await list("filter[createdAt][period]=3h")).toEqual([recent, middle]);
    expect(await list("filter[createdAt][period]=month")).toEqual([recent, middle, old]);
    expect(await list(`filter[createdAt][period]=week&filter[createdAt][to]=${iso(HOUR_MS)}`)).toEqual([
      middle,
    ]);
    expect(await list(`filter[createdAt][from]=${iso(0)}&filter[createdAt][to]=${iso(HOUR_MS)}`)).toEqual([]);
    expect(await list("filter[createdAt][from]=9999-12-31")).toEqual([]);
    expect(await list("filter[createdAt][to]=0001-01-01")).toEqual([]);
  });
});

describe("the list of a flow's runs", () => {
  it("holds this flow's runs alone, without their version", async () => {
    const mine = await addRun(service.pool, {
      organizationId: "org_two",
      flowId: "flow_two",
      status: "FAILED",
    });
    const { body } = await service.get("/api/flows/flow_two/runs", service.keys.two);
    expect(flowRunsAnswer.parse(body).data.data[0]).toMatchObject({ id: mine });
    expect(body.data.data[0]).not.toHaveProperty("version");
    expect(new Set(body.data.data.map((run: { payload: object }) => JSON.stringify(run.payload)))).toEqual(
      new Set([JSON.stringify({ organizationId: "org_two", flowId: "flow_two", triggerSource: "api" })]),
    );
    expect(await idsOf("/api/flows/flow_two/runs?filter[status]=FAILED", service.keys.two)).toEqual([mine]);
  });

  it("answers 400, 403 and 404 for a flow that is malformed, foreign or missing", async () => {
    expect((await service.get("/api/flows/a%20b/runs")).body.error).toBe("Invalid flow ID");
    expect((await service.get("/api/flows/flow_two/runs")).status).toBe(403);
    const missing = await service.get("/api/flows/flow_none/runs");
    expect(missing).toMatchObject({ status: 404, body: { messageParams: { flowId: "flow_none" } } });
  });
});

describe("pages", () => {
  it("walk through everything once in both directions while new runs arrive", async () => {
    const ids: string[] = [];
    for (let at = 0; at < 23; at++)
      ids.unshift(await addRun(service.pool, { tags: ["pages"], flowId: `f${at % 3}` }));
    const base = "/api/runs?filter[tag]=pages&page[size]=5";
    const forth: string[][] = [];
    let { body } = await service.get(base);
    expect(body.data.pagination).not.toHaveProperty("prev");
    for (;;) {
      forth.push(body.data.data.map((run: { id: string }) => run.id));
      await addRun(service.pool, { tags: ["pages"] });
      const { next } = body.data.pagination;
      if (next === undefined) break;
      ({ body } = await service.get(`${base}&page[after]=${next}`));
    }
    expect(forth.flat()).toEqual(ids);
    const back = [forth.pop()!];
    while (forth.length > 0) {
      ({ body } = await service.get(`${base}&page[before]=${body.data.pagination.prev}`));
      back.unshift(body.data.data.map((run: { id: string }) => run.id));
      expect(back[0]).toEqual(forth.pop());
    }
    expect(body.data.pagination.prev).toBeDefined();
  });

  it("have the same size and order whatever filter leads", async () => {
    const created = [];
    for (let at = 0; at < 7; at++)
      created.unshift(await addRun(service.pool, { version: "20260404.4", isTest: true }));
    for (const filter of [
      "filter[version]=20260404.4",
      "filter[isTest]=true",
      "filter[status]=WAITING",
      "",
    ]) {
      const { body } = await service.get(`/api/runs?page[size]=3&${filter}`);
      const next = await service.get(
        `/api/runs?page[size]=3&${filter}&page[after]=${body.data.pagination.next}`,
      );
      const seen = [...body.data.data, ...next.body.data.data].map((run: { id: string }) => run.id);
      expect(seen, filter).toEqual(created.slice(0, 6));
    }
  });

  const foreignCursor = encodeCursor("flows", { createdAt: new Date(), id: "flow_one" });
  it.each([
    "page[size]=0",
    "page[size]=-1",
    "page[size]=abc",
    "page[after]=garbage",
    "page[after]=",
    `page[after]=${foreignCursor}`,
    `page[before]=${foreignCursor}`,
    `page[after]=${foreignCursor}&page[before]=${foreignCursor}`,
    "filter[status]=EXECUTING,FOO",
    "filter[status]=",
    "filter[createdAt][from]=yesterday",
    "filter[createdAt][to]=2026-13-01",
    "filter[createdAt][period]=fortnight",
    "filter[createdAt][period]=0m",
    "filter[isTest]=maybe",
    "filter[tag]=a,,b",
    "filter[tag]=%00",
    `filter[tag]=${Array.from({ length: 1_000 }, (_, at) => `t${at}`).join(",")}`,
    "filter[status]=FAILED&filter[status]=CRASHED",
  ])("that cannot be asked for are a 400 that names the parameter: %s", async (query) => {
    for (const path of ["/api/runs", "/api/flows/flow_one/runs"]) {
      const { status, body } = await service.get(`${path}?${query}`);
      expect(status).toBe(400);
      expect(errorBody.parse(body).issues?.[0]?.path[0]).toMatch(/^(?:page|filter)\[/);
    }
  });

  it("are never larger than 100 runs", async () => {
    await Promise.all(Array.from({ length: 120 }, () => addRun(service.pool, { tags: ["many"] })));
    expect(await idsOf("/api/runs?filter[tag]=many&page[size]=1000000000")).toHaveLength(100);
    expect(await idsOf("/api/runs?filter[tag]=many")).toHaveLength(25);
  });
});
