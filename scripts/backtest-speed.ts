// Records runs of a flow of twelve nodes and says how long a back-test of them takes, and how long the editor waits for the
// values of one of them while somebody types. `npm run backtest [-- --runs 200]`
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Pool } from "pg";
import { twelveNodes } from "../packages/server/tests/flow-tests/twelve-nodes.ts";
import { addFlow, addKey, addOrganization, addUser } from "../packages/server/tests/support/workspace.ts";
import { startOwnDatabase } from "../packages/server/tests/torture/database.ts";
import { apiOf } from "../packages/server/tests/torture/service/api.ts";
import { Processes } from "../packages/server/tests/torture/service/processes.ts";

const { values } = parseArgs({ options: { runs: { type: "string", default: "200" } } });
const runs = Number(values.runs);
const REPEATS = 5;
const AT_ONCE = 50;
const LETTERS = 100;

let received = 0;
const receiver = createServer((_request, response) => {
  received += 1;
  response.setHeader("content-type", "application/json").end('{"id":"ch"}');
}).listen(0, "127.0.0.1");
await once(receiver, "listening");
const database = await startOwnDatabase();
const pool = new Pool({ ...database.connection, max: 4 }).on("error", () => {});
const processes = new Processes(pool, database.connection);
try {
  await addOrganization(pool, "org_b", { concurrency: AT_ONCE, queue: 10_000 });
  await addUser(pool, "bea", { org_b: "owner" });
  const { key } = await addKey(pool, { organizationId: "org_b", userId: "bea" });
  const graph = twelveNodes(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}`);
  await addFlow(pool, "org_b", "flow_b", { graph });
  const api = apiOf(await processes.start());
  for (let at = 0; at < runs; at += AT_ONCE)
    await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, runs - at) }, (_, index) =>
        api("POST", "/api/runs", key, {
          payload: { flowId: "flow_b", data: { amount: 400 + at + index, tags: ["a", "b"] } },
        }),
      ),
    );
  for (let left = 1; left > 0; await sleep(100)) {
    const { rows } = await pool.query(`SELECT count(*)::int AS left FROM runs WHERE completed_at IS NULL`);
    left = rows[0].left;
  }
  received = 0;
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    const startedMs = performance.now();
    const { body } = await api("POST", "/manage/flows/flow_b/backtest", key, { last: runs });
    const tookMs = Math.round(performance.now() - startedMs);
    console.log(`${body.data.runs} runs, ${body.data.changed} change, in ${tookMs} ms; ${received} calls`);
  }
  const { body } = await api("GET", "/api/runs?page[size]=1", key);
  const { id: runId } = body.data.data[0];
  const tookMs: number[] = [];
  for (let letter = 0; letter < LETTERS; letter += 1) {
    const typed = twelveNodes("http://127.0.0.1:9", { condition: `{{ data.amount > ${letter} }}` });
    const startedMs = performance.now();
    const evaluated = await api("POST", "/manage/flows/flow_b/draft/evaluate", key, { runId, graph: typed });
    tookMs.push(performance.now() - startedMs);
    if (evaluated.status !== 200) throw new Error(JSON.stringify(evaluated.body));
  }
  tookMs.sort((one, other) => one - other);
  const [p50, p95] = [0.5, 0.95].map((part) => tookMs[Math.floor(LETTERS * part)]!.toFixed(1));
  console.log(
    `live values after each of ${LETTERS} letters: p50 ${p50} ms, p95 ${p95} ms; ${received} calls`,
  );
} finally {
  await processes.stop();
  receiver.close();
  await pool.end();
  await database.stop();
}
