import { nodeRecordsAnswer, nodeValuesAnswer, runTriggerAnswer } from "@millrace/contract/manage/run-values";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { presentNodeValues, presentRunTrigger } from "../../src/http/presenters/run-values.ts";
import { addRun, nodeRecord } from "../support/runs.ts";
import { chain, node, type TestGraph, type TestNode } from "../support/runs-flows.ts";
import { type Gate, startGate } from "../support/runs-gate.ts";
import { type RunTestService, startRunService } from "../support/runs-service.ts";

let service: RunTestService;
let gate: Gate;
beforeAll(async () => {
  service = await startRunService();
  gate = await startGate();
});
afterAll(async () => {
  await gate.close();
  await service.stop();
});

const inside = (parentId: string, child: TestNode): TestNode => ({ ...child, parentId });

function loops(): TestGraph {
  const graph = chain(
    node("outer", "for-each", { items: "{{ trigger.body.list }}" }),
    node("done", "return", { value: { text: "é".repeat(10) } }),
  );
  return {
    nodes: [
      ...graph.nodes,
      inside("outer", node("note", "set", { values: { n: "{{ item }}" } })),
      inside("outer", node("inner", "for-each", { items: ["a", "b"] })),
      inside("inner", node("leaf", "set", { values: { x: "{{ item }}" } })),
    ],
    edges: [
      { id: "e0", source: "start", target: "outer" },
      { id: "e1", source: "outer", sourceHandle: "done", target: "done" },
      { id: "e2", source: "note", target: "inner" },
    ],
  };
}

async function records(runId: string, query = "") {
  const { status, body } = await service.get(`/manage/runs/${runId}/nodes${query}`, service.key);
  expect([status, body.issues]).toEqual([200, undefined]);
  return nodeRecordsAnswer.parse(body).data;
}
const keys = ({ data }: { data: readonly { nodeKey: string }[] }) => data.map(({ nodeKey }) => nodeKey);

describe("the records of a run's nodes", () => {
  let runId: string;
  beforeAll(async () => {
    await service.flow("flow_loops", loops());
    runId = await service.begin("flow_loops", { payload: { trigger: { body: { list: [1, 2, 3, 4, 5] } } } });
    await service.untilEnd(runId);
  });

  it("show times, handles and sizes of those outside of containers, and no values", async () => {
    const { data, pagination, rounds } = await records(runId);
    expect(data.map(({ nodeKey, type, handle }) => [nodeKey, type, handle])).toEqual([
      ["start", "start", "out"],
      ["outer", "for-each", "done"],
      ["done", "return", undefined],
    ]);
    expect([pagination, rounds]).toEqual([{}, undefined]);
    const done = data.find(({ nodeKey }) => nodeKey === "done")!;
    expect(done.sizes!.output).toBe(Buffer.byteLength(JSON.stringify({ text: "é".repeat(10) })));
    for (const record of data) {
      expect(record.completedAt! >= record.startedAt).toBe(true);
      expect(record.attempts).toBe(1);
    }
  });

  it("come round by round, in whole rounds, onward and back", async () => {
    const first = await records(runId, "?container=outer&page[size]=2");
    expect(keys(first)).toEqual(["note[0]", "inner[0]", "note[1]", "inner[1]"]);
    expect(first.rounds).toBe(5);
    expect(first.pagination.prev).toBeUndefined();
    const second = await records(runId, `?container=outer&page[size]=2&page[after]=${first.pagination.next}`);
    expect(keys(second)).toEqual(["note[2]", "inner[2]", "note[3]", "inner[3]"]);
    const third = await records(runId, `?container=outer&page[size]=2&page[after]=${second.pagination.next}`);
    expect(keys(third)).toEqual(["note[4]", "inner[4]"]);
    expect(third.pagination.next).toBeUndefined();
    const back = await records(runId, `?container=outer&page[size]=2&page[before]=${third.pagination.prev}`);
    expect(keys(back)).toEqual(keys(second));
    const start = await records(runId, `?container=outer&page[size]=2&page[before]=${back.pagination.prev}`);
    expect([keys(start), start.pagination.prev]).toEqual([keys(first), undefined]);
  });

  it("are found by round, by status, and inside of containers that are inside of others", async () => {
    expect(keys(await records(runId, "?container=outer&filter[round]=3"))).toEqual(["note[3]", "inner[3]"]);
    expect(keys(await records(runId, "?container=outer&filter[status]=FAILED"))).toEqual([]);
    expect(keys(await records(runId, "?container=outer&filter[status]=COMPLETED,FAILED"))).toHaveLength(10);
    expect(keys(await records(runId, "?container=inner[2]"))).toEqual([
      "inner[2].leaf[0]",
      "inner[2].leaf[1]",
    ]);
  });

  it("refuse what is no container, a round of nothing, and a cursor of another list", async () => {
    const { pagination } = await records(runId, "?container=outer&page[size]=1");
    for (const [query, parameter] of [
      ["?container=note", "container"],
      ["?container=[]", "container"],
      ["?filter[round]=1", "filter[round]"],
      ["?filter[status]=DONE", "filter[status]"],
      [`?container=inner[2]&page[after]=${pagination.next}`, "page[after]"],
    ]) {
      const { status, body } = await service.get(`/manage/runs/${runId}/nodes${query}`, service.key);
      expect([status, body.issues?.[0].path[0]]).toEqual([400, parameter]);
    }
  });

  it("have their values on request, letter by letter", async () => {
    const { status, body } = await service.get(
      `/manage/runs/${runId}/nodes/${encodeURIComponent("inner[2].leaf[1]")}`,
      service.key,
    );
    expect(status).toBe(200);
    expect(nodeValuesAnswer.parse(body).data).toMatchObject({
      output: { x: "b" },
      status: "COMPLETED",
      log: [],
    });
    const missing = await service.get(`/manage/runs/${runId}/nodes/leaf`, service.key);
    expect([missing.status, missing.body.code]).toEqual([404, "node_not_found"]);
  });

  it("show trigger, data and inputs apart", async () => {
    const { body } = await service.get(`/manage/runs/${runId}/trigger`, service.key);
    expect(runTriggerAnswer.parse(body).data).toMatchObject({
      triggerSource: "api",
      trigger: { body: { list: [1, 2, 3, 4, 5] } },
    });
  });
});

it("shows nodes under way, with those that pause, in the container they are in", async () => {
  const graph = chain(
    node("each", "for-each", { items: [1, 2], concurrency: 2 }),
    node("ask", "approval", { message: "Sure?" }),
  );
  await service.flow("flow_under_way", {
    nodes: [...graph.nodes, inside("each", gate.node("call"))],
    edges: [
      { id: "e0", source: "start", target: "each" },
      { id: "e1", source: "each", sourceHandle: "done", target: "ask" },
    ],
  });
  const runId = await service.begin("flow_under_way");
  await gate.untilArrived(2);
  const statuses = async (query: string) =>
    (await records(runId, query)).data.map(({ nodeKey, status }) => `${nodeKey} ${status}`);
  expect(await statuses("")).toEqual(["start COMPLETED", "each EXECUTING"]);
  expect((await statuses("?container=each")).toSorted()).toEqual(["call[0] EXECUTING", "call[1] EXECUTING"]);
  const { body } = await service.get(`/manage/runs/${runId}/nodes/call%5B0%5D`, service.key);
  expect(nodeValuesAnswer.parse(body).data).toMatchObject({ status: "EXECUTING", type: "http-request" });
  gate.open();
  await service.untilStatus(runId, "PAUSED");
  expect(await statuses("")).toEqual(["start COMPLETED", "each COMPLETED", "ask PAUSED"]);
  const paused = await service.get(`/manage/runs/${runId}/nodes/ask`, service.key);
  expect(nodeValuesAnswer.parse(paused.body).data.status).toBe("PAUSED");
});

it("lists records whose texts PostgreSQL cannot take apart, and shows their values", async () => {
  await service.flow("flow_odd", chain());
  const runId = await addRun(service.database.pool, {
    organizationId: "org_run",
    flowId: "flow_odd",
    status: "COMPLETED",
    nodes: [nodeRecord("a", 1, { output: { text: "half \ud800 and \0" } }), nodeRecord("b", 2)],
  });
  const { data } = await records(runId);
  expect(data.map(({ nodeKey, attempts, sizes }) => [nodeKey, attempts, sizes!.record > 50])).toEqual([
    ["a", 1, true],
    ["b", 1, true],
  ]);
  const { body } = await service.get(`/manage/runs/${runId}/nodes/a`, service.key);
  expect(body.data.output).toEqual({ text: "half \ud800 and \0" });
});

it("shows no values to those from whom an organization hides them", () => {
  const node_ = {
    ...nodeRecord("a", 1, { error: { name: "E", message: "secret" } }),
    input: "{}",
    output: "{}",
  };
  const hidden = presentNodeValues({ ...node_, showsValues: false });
  expect(Object.keys(hidden).toSorted()).toEqual(
    [
      "attempts",
      "completedAt",
      "handle",
      "nodeId",
      "nodeKey",
      "startedAt",
      "status",
      "type",
      "valuesHidden",
    ].toSorted(),
  );
  expect(presentRunTrigger({ triggerSource: "api", values: undefined })).toEqual({
    triggerSource: "api",
    valuesHidden: true,
  });
});
