import { lowestIdAt } from "../../../../packages/server/src/domain/ids.ts";
import { chain, node } from "../../../../packages/server/tests/support/runs-flows.ts";
import type { RunTestService } from "../../../../packages/server/tests/support/runs-service.ts";
import { addRun, nodeRecord } from "../../../../packages/server/tests/support/runs.ts";

/** A flow of so many nodes, in branches of ten that meet again, and a run that went through it. */
export async function runOfNodes(service: RunTestService, count: number): Promise<string> {
  const id = `flow_nodes_${count}`;
  const width = 10;
  const nodes = [{ id: "start", type: "start", data: {} } as object];
  const edges: object[] = [];
  for (let at = 0; at < count - 1; at += 1) {
    nodes.push({ id: `n${at}`, type: "set", data: { label: `Step ${at}`, inputs: { values: { at } } } });
    const source = at < width ? "start" : `n${at - width}`;
    edges.push({ id: `e${at}`, source, target: `n${at}` });
  }
  await service.flow(id, { nodes, edges } as Parameters<RunTestService["flow"]>[1]);
  const runId = await service.begin(id);
  await service.untilStatus(runId, "COMPLETED");
  return runId;
}

/** A run whose only node put out so many bytes. */
export async function runOfBytes(service: RunTestService, bytes: number): Promise<string> {
  await service.flow("flow_bytes", chain(node("make", "set", { values: {} })));
  const row = { name: "w".repeat(60), at: 1_234_567, tags: ["one", "two"], nested: { yes: true } };
  const count = Math.floor(bytes / (JSON.stringify(row).length + 1));
  const output = { rows: Array.from({ length: count }, (_, at) => ({ ...row, at })) };
  return addRun(service.database.pool, {
    organizationId: "org_run",
    flowId: "flow_bytes",
    status: "COMPLETED",
    output: {},
    nodes: [nodeRecord("start", 1, { type: "start" }), nodeRecord("make", 2, { type: "set", output })],
  });
}

export async function runOfRounds(service: RunTestService, count: number): Promise<string> {
  await service.flow("flow_rounds", {
    nodes: [
      { id: "start", type: "start", data: {} },
      { id: "each", type: "for-each", data: { inputs: { items: `{{ [1..${count}] }}` } } },
      { id: "line", type: "set", parentId: "each", data: { inputs: { values: { n: "{{ index }}" } } } },
    ],
    edges: [{ id: "e1", source: "start", target: "each" }],
  });
  const runId = await service.begin("flow_rounds");
  await service.untilStatus(runId, "COMPLETED");
  return runId;
}

/** Runs of the last hour, put straight into the tables. */
export async function manyRuns(service: RunTestService, count: number): Promise<void> {
  await service.flow("flow_many", chain(node("make", "set", { values: {} })));
  const { pool } = service.database;
  const version = (await pool.query(`SELECT version FROM flows WHERE id = 'flow_many'`)).rows[0].version;
  const prefix = lowestIdAt("run", Date.now() - 3_600_000).slice(0, 12);
  await pool.query(
    `INSERT INTO runs (organization_id, id, flow_id, version, status, stage, answered_queued, max_duration_ms, trigger_source,
                       tags, started_at, updated_at, completed_at)
     SELECT 'org_run', $1 || lpad(n::text, 16, '0'), 'flow_many', $2, CASE WHEN n % 20 = 0 THEN 'FAILED' ELSE 'COMPLETED' END,
            'admitted', false, 3600000, 'api', '{}', now() - interval '1 hour', now(), now()
       FROM generate_series(1, $3::integer) AS n`,
    [prefix, version, count],
  );
  await pool.query("ANALYZE runs");
}
