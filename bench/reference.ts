// The bare reference: the same rows through the same HTTP library and the same PostgreSQL, and nothing else.
// No keys, no limits, no flows, no queue, no recovery: what is left is the price of storing a run at all.
import Fastify from "fastify";
import { Pool } from "pg";
import { z } from "zod";
import { IdMaker } from "../packages/server/src/domain/ids.ts";

const [databaseUrl, port] = process.argv.slice(2);
const pool = new Pool({ connectionString: databaseUrl, max: 6 });
const ids = new IdMaker(() => Date.now());

const body = z.object({
  payload: z.object({ flowId: z.string(), data: z.record(z.string(), z.unknown()).optional() }),
});

interface Run {
  readonly id: string;
  readonly flowId: string;
  readonly data: string | null;
}

/** Whatever arrives while a statement is under way shares the next one. */
function batched<Item>(write: (items: Item[]) => Promise<unknown>, maxUnderWay: number) {
  let waiting: { item: Item; resolve: () => void; reject: (error: unknown) => void }[] = [];
  let underWay = 0;
  const flush = async (): Promise<void> => {
    if (underWay >= maxUnderWay || waiting.length === 0) return;
    underWay++;
    const batch = waiting.splice(0, 250);
    try {
      await write(batch.map(({ item }) => item));
      for (const { resolve } of batch) resolve();
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    underWay--;
    void flush();
  };
  return (item: Item): Promise<void> =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (waiting.length === 1) setImmediate(() => void flush());
    });
}

const insert = batched<Run>(
  (runs) =>
    pool.query({
      name: "insert",
      text: `WITH asked AS (SELECT * FROM unnest($1::text[], $2::text[], $3::text[]) AS a(id, flow_id, data)),
        payloads AS (INSERT INTO run_payloads (organization_id, run_id, data) SELECT 'org_bench', id, data::json FROM asked WHERE data IS NOT NULL)
        INSERT INTO runs (organization_id, id, flow_id, version, status, stage, answered_queued, epoch, process_id, max_duration_ms,
          claimed_at, started_at, deadline_at, trigger_source, updated_at)
        SELECT 'org_bench', id, flow_id, '20260101.1', 'EXECUTING', 'admitted', false, 1, '00000000-0000-4000-8000-000000000000', 3600000,
          now(), now(), now() + interval '1 hour', 'api', now() FROM asked`,
      values: [runs.map(({ id }) => id), runs.map(({ flowId }) => flowId), runs.map(({ data }) => data)],
    }),
  2,
);

const finish = batched<{ id: string; output: string; nodes: string }>(
  (runs) =>
    pool.query({
      name: "finish",
      text: `WITH asked AS (SELECT * FROM unnest($1::text[], $2::text[], $3::text[]) AS a(id, output, nodes)),
        results AS (INSERT INTO run_results (organization_id, run_id, output, nodes) SELECT 'org_bench', id, output::json, nodes::json FROM asked)
        UPDATE runs r SET status = 'COMPLETED', process_id = NULL, deadline_at = NULL, completed_at = now(), updated_at = now()
          FROM asked a WHERE r.organization_id = 'org_bench' AND r.id = a.id`,
      values: [runs.map(({ id }) => id), runs.map(({ output }) => output), runs.map(({ nodes }) => nodes)],
    }),
  2,
);

/** Records of three nodes, as large as those the service keeps. */
function threeNodes(data: unknown): { output: string; nodes: string } {
  const now = Date.now();
  const output = { text: "Hello Ada" };
  const record = (nodeKey: string, type: string, input: object, output: object) => ({
    nodeKey,
    nodeId: nodeKey,
    type,
    status: "COMPLETED",
    startedAt: now,
    endedAt: now,
    attempts: 1,
    input,
    output,
    handle: "out",
    log: [],
  });
  const nodes = [
    record("start", "start", {}, { body: data, headers: {}, query: {}, method: "POST" }),
    record("greet", "set", { values: output }, output),
    record("done", "return", { value: output }, output),
  ];
  return { output: JSON.stringify(output), nodes: JSON.stringify(nodes) };
}

const server = Fastify();
server.post("/api/runs", async (request, reply) => {
  const { payload } = body.parse(request.body);
  const run = {
    id: ids.make("run"),
    flowId: payload.flowId,
    data: payload.data === undefined ? null : JSON.stringify(payload.data),
  };
  await insert(run);
  void finish({ id: run.id, ...threeNodes(payload.data) });
  return reply.code(201).send({
    success: true,
    data: {
      id: run.id,
      status: "WAITING",
      taskIdentifier: "execute-flow",
      payload: { organizationId: "org_bench", flowId: payload.flowId },
      createdAt: new Date().toISOString(),
    },
  });
});
await server.listen({ port: Number(port), host: "127.0.0.1" });
console.log("ready");
process.once("SIGTERM", () => void server.close().then(() => pool.end()));
