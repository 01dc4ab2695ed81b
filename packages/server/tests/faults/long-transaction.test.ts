import { Writable } from "node:stream";
import type { PoolClient } from "pg";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { oldTransactions } from "../../src/engine/duties/old-transactions.ts";
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

/** Pages that a claim looks at when nothing is ready. */
async function pagesOfClaim(): Promise<number> {
  const { rows } = await database.pool.query(
    `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) SELECT * FROM claim_runs(gen_random_uuid(), 100)`,
  );
  const { Plan: plan } = rows[0]["QUERY PLAN"][0];
  return plan["Shared Hit Blocks"] + plan["Shared Read Blocks"];
}

describe("a transaction that somebody has left open", () => {
  it("costs a claim one more page for every ten runs at most: it walks along its index, not over the table", async () => {
    const counts: number[] = [];
    for (let round = 0; round < 5; round++) {
      await Promise.all(Array.from({ length: 200 }, () => api.trigger("flow_hello")));
      await untilAllEnded(database.pool, 30_000);
      counts.push(await pagesOfClaim());
    }
    console.log(`pages of a claim beside a transaction left open, every 200 runs: ${counts.join(", ")}`);
    // The first look also reads the catalogue.
    expect((counts.at(-1)! - counts[1]!) / 600).toBeLessThan(0.1);
  }, 60_000);

  it("is told by doctor, at /metrics and in the log", async () => {
    const lines: string[] = [];
    const logger = pino(new Writable({ write: (chunk, _, done) => (lines.push(String(chunk)), done()) }));
    const metrics = createMetrics();
    const duty = (warnSeconds: number) =>
      oldTransactions({ pool: database.pool, logger, metrics, warnSeconds });
    const { signal } = new AbortController();

    expect(await examineTransactions(database.pool)).toMatchObject({ status: "ok" });
    const finding = await examineTransactions(database.pool, 0);
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
    expect(await examineTransactions(database.pool, 0)).not.toMatchObject({ message: finding.message });
  });
});
