// Records runs of a flow of twelve nodes and says how long a back-test of them takes. `npm run backtest [-- --runs 200]`
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
} finally {
  await processes.stop();
  receiver.close();
  await pool.end();
  await database.stop();
}
