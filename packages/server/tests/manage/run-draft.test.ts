import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { retention } from "../../src/engine/duties/retention.ts";
import { untilNode } from "../../src/operations/manage-flows/until-node.ts";
import { chain, node } from "../support/runs-flows.ts";
import { type RunTestService, startRunService } from "../support/runs-service.ts";

let service: RunTestService;
let receiver: Server;
/** Paths that were asked for. */
const calls: string[] = [];
beforeAll(async () => {
  receiver = createServer((request, response) => {
    calls.push(request.url!);
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ path: request.url }));
  }).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  service = await startRunService();
});
afterAll(async () => {
  await service.stop();
  receiver.close();
});

const url = (path: string) => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/${path}`;
const graph = (last: string) =>
  chain(
    node("one", "http-request", { url: url("one") }),
    node("two", "http-request", { url: url("two") }),
    node("end", "return", { value: { text: last, body: "{{ trigger.body }}" } }),
  );
const manage = (method: string, path: string, body?: object) =>
  service.send(method, path, { key: service.key, body });
const runDraft = (body: object) => manage("POST", "/manage/flows/flow_d/draft/run", body);
const testRuns = async () =>
  (await service.get("/api/runs?filter[isTest]=true", service.key)).body.data.data.map(
    ({ id }: { id: string }) => id,
  );
const called = async (work: () => Promise<unknown>) => {
  calls.length = 0;
  await work();
  return [...calls];
};

describe("a test run of a draft", () => {
  it("executes what was never published, is marked as a test, and leaves no version behind in the lists", async () => {
    await manage("POST", "/manage/flows", { id: "flow_d", name: "D", graph: graph("drafted") });
    const { status, body } = await runDraft({ trigger: { body: { n: 1 } } });
    expect(status).toBe(201);
    const run = await service.untilEnd(body.data.id);
    expect(run).toMatchObject({ status: "COMPLETED", output: { text: "drafted", body: { n: 1 } } });
    expect(await testRuns()).toEqual([run.id]);
    expect((await service.get("/manage/flows/flow_d/versions", service.key)).body.data.data).toEqual([]);
    const listed = (await service.get("/manage/flows", service.key)).body.data.data;
    expect(listed.find(({ id }: { id: string }) => id === "flow_d").state).toBe("draft");
  });

  it("goes on from a node of a recorded run, whose effects before it are not repeated", async () => {
    await manage("POST", "/manage/flows/flow_d/publish");
    const runId = await service.begin("flow_d", { payload: { trigger: { body: { n: 2 } } } });
    await service.untilEnd(runId);
    const from = async (more: object) => {
      const { body } = await runDraft({ runId, graph: graph("changed"), ...more });
      return service.untilEnd(body.data.id);
    };
    let run: object = {};
    expect(await called(async () => (run = await from({ nodeId: "two" })))).toEqual(["/two"]);
    expect(run).toMatchObject({ output: { text: "changed", body: { n: 2 } } });
    expect(await called(async () => (run = await from({ nodeId: "one", only: true })))).toEqual(["/one"]);
    expect(run).toMatchObject({ status: "COMPLETED", output: { one: { body: { path: "/one" } } } });
    expect(await called(async () => (run = await from({})))).toEqual(["/one", "/two"]);
    expect((await testRuns()).length).toBe(4);
  });

  it("leaves the time of the version in force alone, and its own runs are found by their version", async () => {
    const { version } = (await manage("GET", "/manage/flows/flow_d/draft")).body.data;
    const runId = await service.begin("flow_d");
    await service.untilEnd(runId);
    const listed = async (name: string) =>
      (await service.get(`/api/runs?filter[version]=${name}`, service.key)).body.data.data.map(
        ({ id }: { id: string }) => id,
      );
    expect(await listed(version)).toContain(runId);
    const [test] = await testRuns();
    const own = (await service.row(test)).version as string;
    expect(own).toMatch(/^test-/);
    expect(await listed(own)).toContain(test);
  });

  it("is a test whatever it was forked from", async () => {
    const runId = await service.begin("flow_d");
    await service.untilEnd(runId);
    const [test] = await testRuns();
    const { version } = await service.row(test);
    const fork = await manage("POST", `/api/runs/${runId}/fork`, { version, from: "start" });
    expect(fork.status, JSON.stringify(fork.body)).toBeLessThan(300);
    expect((await service.row(fork.body.data.id)).is_test).toBe(true);
  });

  it("keeps its version for as long as a run has it, and no longer", async () => {
    const { pool } = service.database;
    const versions = async () =>
      (await service.rows(`SELECT version FROM flow_versions WHERE flow_id = 'flow_k' ORDER BY version`)).map(
        (row) => row.version as string,
      );
    const tidyIn = (days: number) =>
      retention({ pool, retentionDays: 30, nowMs: () => Date.now() + days * 86_400_000 }).runOnce(
        new AbortController().signal,
      );
    const asking = chain(node("ask", "approval", { message: "May I?" }));
    await manage("POST", "/manage/flows", { id: "flow_k", name: "K", graph: asking });
    const run = async (changed?: object) =>
      (await manage("POST", "/manage/flows/flow_k/draft/run", { ...(changed && { graph: changed }) })).body
        .data.id as string;
    const paused = await run();
    await service.untilStatus(paused, "PAUSED");
    const ended = await run(chain(node("end", "return", { value: { n: 1 } })));
    await service.untilEnd(ended);
    const { version: kept } = await service.row(paused);
    await manage("POST", "/manage/flows/flow_k/publish");
    const published = await versions();
    expect(published).toHaveLength(3);
    await tidyIn(29);
    expect(await versions()).toEqual(published);
    await tidyIn(31);
    expect(await versions()).toEqual(published.filter((name) => name === kept || !name.startsWith("test-")));
    expect((await manage("POST", `/api/runs/${paused}/cancel?paused=true`, {})).status).toBe(200);
    await service.untilStatus(paused, "CANCELED");
    await tidyIn(31);
    expect((await versions()).filter((name) => name.startsWith("test-"))).toEqual([]);
  });

  it("is refused where it is not clear, would not run, or is somebody else's", async () => {
    const issue = async (body: object) => (await runDraft(body)).body.issues?.[0]?.path[0];
    expect(await issue({ nodeId: "nobody" })).toBe("nodeId");
    expect(await issue({ nodeId: "two" })).toBe("runId");
    expect(await issue({ only: true })).toBe("only");
    const broken = chain(node("bad", "set", { values: { x: "{{ ( }}" } }));
    expect((await runDraft({ graph: broken })).body.code).toBe("flow_validation_failed");
    await service.flow("flow_other", graph("other"));
    const other = await service.begin("flow_other");
    await service.untilEnd(other);
    expect((await runDraft({ runId: other })).body.code).toBe("run_not_found");
  });
});

it("a graph until a node keeps what leads to it, whole containers before it, and of those around it the way there", () => {
  const inside = (id: string, parentId: string) => ({ id, type: "set", parentId, data: {} });
  const loops = {
    nodes: [
      ...chain(node("each", "for-each"), node("again", "for-each"), node("end", "return")).nodes,
      inside("line", "each"),
      inside("a", "again"),
      inside("b", "again"),
      inside("c", "again"),
    ],
    edges: [
      ...chain(node("each", "for-each"), node("again", "for-each"), node("end", "return")).edges,
      { id: "ab", source: "a", target: "b" },
      { id: "bc", source: "b", target: "c" },
    ],
  };
  const ids = (nodeId: string) => untilNode(loops as never, nodeId).nodes.map(({ id }) => id);
  expect(ids("b")).toEqual(["start", "each", "again", "line", "a", "b"]);
  expect(ids("again")).toEqual(["start", "each", "again", "line", "a", "b", "c"]);
  expect(ids("each")).toEqual(["start", "each", "line"]);
});
