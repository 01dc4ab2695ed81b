import { afterAll, beforeAll, expect, it } from "vitest";
import type { Pool } from "pg";
import { createPool } from "../../src/storage/pool.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { fan, hello, node } from "../support/runs-flows.ts";
import { type RunTestService, startRunService } from "../support/runs-service.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { startTcpProxy, type TcpProxy } from "../support/tcp-proxy.ts";

/** The only worker; all its connections can be stopped at any moment, as if the process had been. */
let worker: TestService;
let api: RunTestService;
let database: TestDatabase;
let proxy: TcpProxy;
let proxied: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  api = await startRunService({ concurrency: 1_000, credits: 1_000_000 }, () =>
    startTestService({}, { role: "api", database }),
  );
  proxy = await startTcpProxy(database.connection);
  proxied = createPool({ connection: proxy.connection, size: 5, applicationName: "proxied" });
  const through = { ...database, pool: proxied, connection: proxy.connection };
  worker = await startTestService({}, { role: "worker", database: through });
  const child = (id: string) => node(id, "run-flow", { flowId: "flow_hello" });
  await api.flow("flow_hello", hello);
  await api.flow("flow_parent", fan(child("one"), child("two"), node("ask", "approval", { message: "?" })));
});
afterAll(async () => {
  proxy.plugIn();
  await worker.stop();
  await api.stop();
  await proxied.end();
  await proxy.close();
  await database.drop();
});

it("stops nobody of its organization, at whatever statement of a pause with sub-flows it stands", async () => {
  const open = async () =>
    (await database.pool.query(`SELECT count(*) AS count FROM runs WHERE status IN ('WAITING', 'EXECUTING')`))
      .rows[0].count as number;
  // Far more than a parent and its children need together.
  for (let requests = 1; requests <= 24; requests += 1) {
    const frozen = proxy.freezeAfter(requests);
    const id = await api.begin("flow_parent");
    await frozen;
    const answers = await Promise.all(Array.from({ length: 5 }, () => api.trigger("flow_hello")));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    const locks = await database.pool.query(
      `SELECT query FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
    );
    expect(locks.rows).toEqual([]);
    proxy.plugIn();
    await api.untilStatus(id, "PAUSED");
    await expect.poll(open, { timeout: 60_000 }).toBe(0);
  }
  const { rows } = await database.pool.query(
    `SELECT count(*) AS children FROM runs WHERE parent_run_id IS NOT NULL GROUP BY parent_run_id, parent_node_key`,
  );
  expect(rows.every(({ children }) => children === 1)).toBe(true);
  expect(rows).toHaveLength(48);
});
