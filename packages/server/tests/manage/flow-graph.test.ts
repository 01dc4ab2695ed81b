import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestService, type TestService } from "../support/service.ts";
import { addFlow, addTwoOrganizations } from "../support/workspace.ts";

const graph = {
  nodes: [
    { id: "start", type: "start", data: { inputs: { body: { secret: "s3cret" } } } },
    { id: "each", type: "for-each", data: { label: "Each one", inputs: { items: [1] } } },
    { id: "line", type: "set", parentId: "each", data: { inputs: { values: { x: 1 } } } },
  ],
  edges: [{ id: "e1", source: "start", target: "each" }],
};

let service: TestService;
let keys: Awaited<ReturnType<typeof addTwoOrganizations>>;
beforeAll(async () => {
  service = await startTestService({}, { role: "api" });
  const { pool } = service.database;
  keys = await addTwoOrganizations(pool);
  await addFlow(pool, "org_one", "flow_drawn", { graph, version: "20260101.2" });
});
afterAll(() => service.stop());

it("shows how a flow is connected, and nothing of its inputs", async () => {
  const { status, body } = await service.get("/manage/flows/flow_drawn/graph", keys.viewer);
  expect(status).toBe(200);
  expect(body.data).toEqual({
    flowId: "flow_drawn",
    version: "20260101.2",
    active: true,
    graph: {
      nodes: [
        { id: "start", type: "start" },
        { id: "each", type: "for-each", label: "Each one" },
        { id: "line", type: "set", parentId: "each" },
      ],
      edges: [{ source: "start", target: "each", sourceHandle: "out" }],
    },
  });
});

it("knows neither versions that do not exist nor flows of others", async () => {
  const codes = await Promise.all([
    service.get("/manage/flows/flow_drawn/graph?version=20260101.1", keys.one),
    service.get("/manage/flows/flow_drawn/graph", keys.two),
    service.get("/manage/flows/flow_nowhere/graph", keys.one),
  ]);
  expect(codes.map(({ status, body }) => [status, body.code])).toEqual(
    Array.from({ length: 3 }, () => [404, "flow_not_found"]),
  );
});
