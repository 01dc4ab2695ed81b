import { afterAll, beforeAll, expect, it } from "vitest";
import { chain, node } from "../support/runs-flows.ts";
import { type RunTestService, startRunService } from "../support/runs-service.ts";
import { addCheckpoint, addRun, nodeRecord } from "../support/runs.ts";

let service: RunTestService;
beforeAll(async () => {
  service = await startRunService();
  await service.flow("flow_ways", {
    ...chain(
      node("pick", "if", { condition: "{{ trigger.body.n > 1 }}" }),
      node("large", "set", { values: { of: "{{ trigger.body }}" } }),
    ),
    edges: [
      { id: "a", source: "start", target: "pick" },
      { id: "b", source: "pick", target: "large", sourceHandle: "true" },
    ],
  });
});
afterAll(() => service.stop());

async function ran(body: object): Promise<string> {
  const id = await service.begin("flow_ways", { payload: { trigger: { body } } });
  await service.untilEnd(id);
  return id;
}
const compare = async (a: string, b: string) =>
  (await service.get(`/api/runs/${a}/compare/${b}`, service.key)).body;
const keyed = (nodes: { nodeKey: string }[]) => Object.fromEntries(nodes.map((one) => [one.nodeKey, one]));

it("two runs that did the same do not differ, and a run does not differ from itself", async () => {
  const [a, b] = [await ran({ n: 2 }), await ran({ n: 2 })];
  const { data } = await compare(a, b);
  expect(data).toMatchObject({ a: { id: a }, b: { id: b }, firstDivergence: null, total: 3 });
  expect(data.nodes.map((one: { nodeKey: string }) => one.nodeKey)).toEqual(["start", "pick", "large"]);
  expect(data.nodes[2]).toMatchObject({
    a: { status: "COMPLETED", handle: "out", attempts: 1 },
    differs: [],
    input: { equal: true },
    output: { equal: true },
  });
  expect((await compare(a, a)).data.firstDivergence).toBeNull();
});

it("says where they part: in values as a JSON Patch, in the way taken, in what only one has reached", async () => {
  const [a, b] = [await ran({ n: 2, name: "Ada" }), await ran({ n: 1, name: "Ada" })];
  const { data } = await compare(a, b);
  expect(data.firstDivergence).toBe("start");
  const nodes = keyed(data.nodes);
  expect(nodes["start"]).toMatchObject({
    differs: ["output"],
    output: { equal: false, patch: [{ op: "replace", path: "/body/n", value: 1 }] },
  });
  expect(nodes["pick"]).toMatchObject({ a: { handle: "true" }, b: { handle: "false" } });
  expect((nodes["pick"] as unknown as { differs: string[] }).differs).toContain("handle");
  expect(nodes["large"]).toMatchObject({ differs: ["presence"] });
  expect(nodes["large"]).not.toHaveProperty("b");
});

it("compares values whatever their order and their size, and says what is too much", async () => {
  const { pool } = service.database;
  const many = (by: number) => ({ list: Array.from({ length: 1_000 }, (_, n) => n + by) });
  const huge = (letter: string) => ({ text: letter.repeat(3_000_000) });
  const [a, b] = await Promise.all(
    [0, 1].map(async (n) => {
      const id = await addRun(pool, { organizationId: "org_run", flowId: "flow_ways", status: "FAILED" });
      const records = [
        nodeRecord("order", 1_000, { output: n === 0 ? { x: 1, y: 2 } : { y: 2, x: 1 } }),
        nodeRecord("many", 2_000, { output: many(n) }),
        nodeRecord("huge", 3_000, { output: huge(n === 0 ? "a" : "b") }),
        nodeRecord(
          "status",
          4_000,
          n === 0 ? {} : { status: "FAILED", error: { name: "No", message: "no" } },
        ),
      ];
      for (const record of records) await addCheckpoint(pool, "org_run", id, record);
      return id;
    }),
  );
  const { data } = await compare(a!, b!);
  const nodes = keyed(data.nodes);
  expect(nodes["order"]).toMatchObject({ differs: [], output: { equal: true } });
  expect(nodes["many"]).toMatchObject({ output: { equal: false, leftOut: true }, input: { equal: true } });
  expect(nodes["huge"]).toMatchObject({ output: { equal: false, leftOut: true } });
  expect(nodes["status"]).toMatchObject({ a: { status: "COMPLETED" }, b: { status: "FAILED" } });
  expect((nodes["status"] as unknown as { differs: string[] }).differs).toContain("status");
  expect(data.firstDivergence).toBe("many");
});

it("a run that the caller cannot see is 404, and an id that is none 400", async () => {
  const id = await ran({ n: 1 });
  const other = await addRun(service.database.pool, { organizationId: "org_other", status: "FAILED" });
  const statusOf = async (a: string, b: string) =>
    (await service.get(`/api/runs/${a}/compare/${b}`, service.key)).status;
  expect(await statusOf(id, other)).toBe(404);
  expect(await statusOf(other, id)).toBe(404);
  expect(await statusOf(id, "nonsense")).toBe(400);
});
