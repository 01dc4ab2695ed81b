import { afterAll, beforeAll, expect, it } from "vitest";
import { findFlowGraph } from "../../src/storage/flows/find-flow-graph.ts";
import { createWorkspace, type Workspace } from "../apply/workspace.ts";
import { type LoopbackServer, startLoopbackServer } from "../support/loopback-server.ts";
import { asRunService, type RunTestService } from "../support/runs-service.ts";
import { startTestService } from "../support/service.ts";
import { until } from "../support/runs-until.ts";
import { addKey } from "../support/workspace.ts";

/** Neither by length nor by letter, as PostgreSQL and people would sort them. */
const keys = ["zz", "b", "ccc", "a", "Y"];
const object = (values: (key: string) => unknown) =>
  Object.fromEntries(keys.map((key) => [key, values(key)]));
const ordered = JSON.stringify(object((key) => key));

let workspace: Workspace;
let service: RunTestService;
let server: LoopbackServer;
const received: string[] = [];
beforeAll(async () => {
  workspace = await createWorkspace();
  server = await startLoopbackServer((request, response) => {
    request.setEncoding("utf8").on("data", (text: string) => received.push(text));
    request.on("end", () => response.end("{}"));
  });
  await workspace.apply({ "a.json": documents() });
  const { database } = workspace;
  const started = await startTestService({}, { database: { ...database, drop: async () => {} } });
  const { key } = await addKey(database.pool, { organizationId: "org_a", userId: "ada" });
  service = asRunService(started, key);
});
afterAll(async () => {
  await service.stop();
  await server.close();
  await workspace.remove();
});

function documents(values = object((key) => key)): string {
  const inputs = { url: server.url, method: "POST", body: values };
  const nodes = [
    { id: "start", type: "start", data: {} },
    { id: "send", type: "http-request", data: { inputs } },
    { id: "text", type: "template", data: { inputs: { text: "{{ $string(data) }}" } } },
    {
      id: "done",
      type: "return",
      data: { inputs: { value: { values, data: "{{ data }}", text: "{{ nodes.text.text }}" } } },
    },
  ];
  const edges = nodes.slice(1).map(({ id }, at) => ({ id: `e${at}`, source: nodes[at]!.id, target: id }));
  const schedules = [{ id: "yearly", cron: "0 0 1 1 *", timezone: "UTC", data: values }];
  return [
    {
      kind: "Organization",
      id: "org_a",
      name: "A",
      members: [{ id: "ada", email: "a@b.test", name: "Ada", role: "owner" }],
    },
    { kind: "Flow", id: "flow_a", organizationId: "org_a", name: "A", graph: { nodes, edges }, schedules },
  ]
    .map((document) => JSON.stringify(document))
    .join("\n---\n");
}

const rawRun = async (runId: string) => {
  const answer = await fetch(`${service.address}/api/runs/${runId}`, {
    headers: { authorization: `Bearer ${service.key}` },
  });
  return answer.text();
};

it("keys keep their order from the document and the trigger to the request, the output and the echo", async () => {
  received.length = 0;
  const runId = await service.begin("flow_a", { payload: { data: object((key) => key) } });
  expect((await service.untilEnd(runId)).status).toBe("COMPLETED");
  expect(received).toEqual([ordered]);
  const text = await rawRun(runId);
  expect(text).toContain(
    `"output":{"values":${ordered},"data":${ordered},"text":${JSON.stringify(ordered)}}`,
  );
  expect(text).toContain(`"data":${ordered}`);
});

it("keys of a schedule's data keep their order", async () => {
  const { pool } = workspace.database;
  await pool.query(`UPDATE flow_schedules SET next_at = clock_timestamp()`);
  const started = await until("the schedule has started a run", async () => {
    const { rows } = await pool.query(`SELECT id FROM runs WHERE trigger_source = 'schedule'`);
    return rows[0]?.id as string | undefined;
  });
  await service.untilEnd(started);
  expect(await rawRun(started)).toContain(`"data":${ordered}`);
});

it("another order of the keys is another version, which takes effect; the same order changes nothing", async () => {
  const [, same] = await workspace.apply({ "a.json": documents() });
  expect(same).toMatchObject({ action: "unchanged" });
  const reversed = Object.fromEntries(Object.entries(object((key) => key)).toReversed());
  const [, flow] = await workspace.apply({ "a.json": documents(reversed) });
  expect(flow).toMatchObject({ action: "updated" });
  const graph = await findFlowGraph(workspace.database.pool, "org_a", "flow_a", flow!.version!);
  expect(JSON.stringify(graph)).toContain(JSON.stringify(reversed));
});

it("what an older release has written counts, without its order", async () => {
  const { pool } = workspace.database;
  const { rows } = await pool.query(`SELECT version FROM flows WHERE id = 'flow_a'`);
  // As that release moves a node on the canvas.
  await pool.query(`UPDATE flow_versions SET graph = '{"nodes": [], "edges": []}' WHERE version = $1`, [
    rows[0].version,
  ]);
  expect(await findFlowGraph(pool, "org_a", "flow_a", rows[0].version)).toEqual({ nodes: [], edges: [] });
});
