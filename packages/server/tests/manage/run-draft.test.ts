import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
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
