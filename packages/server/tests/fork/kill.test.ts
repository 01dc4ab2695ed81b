import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startChildService } from "../support/child-service.ts";
import { chain, node } from "../support/runs-flows.ts";
import { type RunTestService, startRunService } from "../support/runs-service.ts";
import { until } from "../support/runs-until.ts";
import { addRun, nodeRecord } from "../support/runs.ts";
import { checkForks } from "./storm.ts";

const FORKS = 40;

let service: RunTestService;
beforeAll(async () => {
  service = await startRunService({ concurrency: 1_000 });
});
afterAll(() => service.stop());

it("a process that is killed in the middle of forks leaves each whole or not at all, and a repetition makes no second one", async () => {
  const { pool, connection } = service.database;
  await service.flow(
    "flow_kill",
    chain(node("big", "set", { values: {} }), node("last", "set", { values: {} })),
  );
  const big = { text: "x".repeat(500_000) };
  const from = await addRun(pool, {
    organizationId: "org_run",
    flowId: "flow_kill",
    status: "COMPLETED",
    nodes: [
      nodeRecord("start", 1, { type: "start", output: {} }),
      nodeRecord("big", 2, { output: big }),
      nodeRecord("last", 3),
    ],
  });
  const ask = (address: string, at: number) =>
    fetch(`${address}/api/runs/${from}/fork`, {
      method: "POST",
      headers: { authorization: `Bearer ${service.key}`, "content-type": "application/json" },
      body: JSON.stringify({ from: "last", idempotencyKey: `kill-${at}` }),
    });

  const child = await startChildService("api", connection);
  const asked = Array.from({ length: FORKS }, async (_, at) => {
    await sleep(at * 4);
    const answer = await ask(child.address, at).catch(() => undefined);
    return answer?.ok === true;
  });
  // As soon as the first is there, others are under way.
  const made = async () =>
    (await pool.query(`SELECT count(*) AS count FROM run_forks`)).rows[0].count as number;
  await until("a fork is there", async () => (await made()) > 0);
  await child.end();
  const acknowledged = (await Promise.all(asked)).filter(Boolean).length;

  const stored = await pool.query(
    `SELECT f.run_id, r.status, count(n.node_key) FILTER (WHERE n.epoch = 0) AS copied
       FROM run_forks f LEFT JOIN runs r ON r.id = f.run_id LEFT JOIN run_nodes n ON n.run_id = f.run_id GROUP BY 1, 2`,
  );
  expect(stored.rows.length).toBeGreaterThanOrEqual(acknowledged);
  for (const row of stored.rows) expect(row).toMatchObject({ status: expect.any(String), copied: 2 });
  expect(await checkForks(pool)).toEqual([]);

  const answers = await Promise.all(
    Array.from(
      { length: FORKS },
      async (_, at) => (await (await ask(service.address, at)).json()) as { data: { id: string } },
    ),
  );
  expect(new Set(answers.map(({ data }) => data.id)).size).toBe(FORKS);
  expect(await made()).toBe(FORKS);
});
