import { Writable } from "node:stream";
import type { PoolClient } from "pg";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { lowestIdAt } from "../../src/domain/ids.ts";
import { oldTransactions } from "../../src/engine/duties/old-transactions.ts";
import { tell } from "../../src/operations/doctor/finding.ts";
import { examineTransactions } from "../../src/operations/doctor/examine-transactions.ts";
import { createMetrics } from "../../src/telemetry/metrics.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { untilAllEnded } from "../support/run-invariants.ts";
import { hello } from "../support/runs-flows.ts";
import { type RunTestService, startRunService } from "../support/runs-service.ts";
import { startTestService, type TestService } from "../support/service.ts";

let database: TestDatabase;
let api: RunTestService;
let worker: TestService;
let forgotten: PoolClient;
beforeEach(async () => {
  database = await createTestDatabase();
  api = await startRunService({ concurrency: 1_000 }, () => startTestService({}, { role: "api", database }));
  worker = await startTestService({}, { role: "worker", database });
  await api.flow("flow_hello", hello);
  forgotten = await database.pool.connect();
  await forgotten.query(`SET idle_in_transaction_session_timeout = 0`);
  await forgotten.query(`BEGIN ISOLATION LEVEL REPEATABLE READ`);
  await forgotten.query(`SELECT count(*) FROM runs`);
});
afterEach(async () => {
  forgotten.release(true);
  await worker.stop();
  await api.stop();
  await database.drop();
});

/** Pages that a claim looks at when nothing is ready, by a session that knows the catalogue already. */
async function pagesOfClaim(client: PoolClient): Promise<number> {
  const explain = `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) SELECT * FROM claim_ready_runs(jsonb_build_object('process_id', gen_random_uuid(), 'most', 100, 'greed', 3, 'rooms', '[]'::jsonb))`;
  await client.query(explain);
  const { rows } = await client.query(explain);
  const { Plan: plan } = rows[0]["QUERY PLAN"][0];
  return plan["Shared Hit Blocks"] + plan["Shared Read Blocks"];
}

/** Runs that ended yesterday. */
async function addHistory(count: number): Promise<void> {
  await database.pool.query(
    `INSERT INTO runs (organization_id, id, flow_id, version, status, stage, answered_queued, max_duration_ms, trigger_source, updated_at, completed_at)
     SELECT 'org_run', $1 || lpad(n::text, 6, '0'), 'flow_hello', '20260101.1', 'COMPLETED', 'admitted', false, 1, 'api', now(), now()
       FROM generate_series(1, $2) AS n`,
    [lowestIdAt("run", Date.now() - 86_400_000).slice(0, -6), count],
  );
  await database.pool.query(`ANALYZE runs`);
}

describe("a transaction that somebody has left open", () => {
  it("costs a claim what it has kept from being cleaned up, and nothing for the history", async () => {
    await addHistory(20_000);
    const [client, walker] = [await database.pool.connect(), await database.pool.connect()];
    try {
      for (const way of ["indexscan", "indexonlyscan", "bitmapscan"])
        await walker.query(`SET enable_${way} = off`);
      await Promise.all(Array.from({ length: 1_000 }, () => api.trigger("flow_hello")));
      await untilAllEnded(database.pool, 30_000);
      const [pages, walked] = [await pagesOfClaim(client), await pagesOfClaim(walker)];
      console.log(
        `a claim beside a transaction left open, after 1,000 runs: ${pages} pages; over the table ${walked}`,
      );
      expect(pages).toBeLessThan(walked / 4);
    } finally {
      client.release(true);
      walker.release(true);
    }
  }, 60_000);

  it("is told by doctor, at /metrics and in the log", async () => {
    const lines: string[] = [];
    const logger = pino(new Writable({ write: (chunk, _, done) => (lines.push(String(chunk)), done()) }));
    const metrics = createMetrics();
    const duty = (warnSeconds: number) =>
      oldTransactions({ pool: database.pool, logger, metrics, warnSeconds });
    const { signal } = new AbortController();

    expect(await examineTransactions(database.pool)).toMatchObject({ status: "ok" });
    const finding = tell(await examineTransactions(database.pool, 0), "en");
    expect(finding.status).toBe("warn");
    expect(finding.message).toMatch(/session \d+ of .* end it: SELECT pg_terminate_backend\(\d+\)/);
    await duty(3_600).runOnce(signal);
    expect(lines).toEqual([]);
    await duty(0).runOnce(signal);
    expect(lines.join()).toContain("a transaction has been open for long");
    expect((await metrics.render()).text).toMatch(/millrace_oldest_transaction_seconds [\d.]+\n/);
    const remedy = /SELECT pg_terminate_backend\(\d+\)/.exec(finding.message)![0];
    forgotten.on("error", () => {});
    await database.pool.query(remedy);
    // The session ends a moment after it was told to.
    await expect
      .poll(async () => tell(await examineTransactions(database.pool, 0), "en"), { timeout: 30_000 })
      .not.toMatchObject({ message: finding.message });
  });
});
