import { afterAll, beforeAll, expect, it } from "vitest";
import { idTimeMs } from "../../src/domain/ids.ts";
import { type ChildService, startChildService } from "../support/child-service.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { chain, hello, node } from "../support/runs-flows.ts";
import { type Gate, startGate } from "../support/runs-gate.ts";
import { until } from "../support/runs-until.ts";
import { addFlow, addKey, addOrganization, addUser } from "../support/workspace.ts";

const HOUR_MS = 3_600_000;
const MONTH_MS = 30 * 24 * HOUR_MS;
const skewFile = new URL("skewed-date.ts", import.meta.url).href;

let database: TestDatabase;
let gate: Gate;
let key: string;
const children: ChildService[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  gate = await startGate();
  const { pool } = database;
  await addOrganization(pool, "org_run", { concurrency: 50 });
  await addUser(pool, "rosa", { org_run: "owner" });
  await addFlow(pool, "org_run", "flow_hello", { graph: hello });
  await addFlow(pool, "org_run", "flow_nap", { graph: chain(node("nap", "wait", { duration: "2s" })) });
  await addFlow(pool, "org_run", "flow_held", { graph: chain(gate.node("held")) });
  ({ key } = await addKey(pool, { organizationId: "org_run", userId: "rosa" }));
});
afterAll(async () => {
  await Promise.all(children.map((child) => child.end()));
  await gate.close();
  await database.drop();
});

async function start(role: "api" | "worker", skewMs: number): Promise<ChildService> {
  const env: Record<string, string> =
    skewMs === 0 ? {} : { NODE_OPTIONS: `--import=${skewFile}`, SKEW_MS: `${skewMs}` };
  const child = await startChildService(role, database.connection, env);
  children.push(child);
  return child;
}

async function begin(api: ChildService, flowId: string, options: object = {}): Promise<string> {
  const answer = await fetch(`${api.address}/api/runs`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ payload: { flowId }, ...options }),
  });
  expect(answer.status).toBe(201);
  return ((await answer.json()) as { data: { id: string } }).data.id;
}

/** Seconds between moments of a run by the database's clock, once it has ended. */
async function ended(id: string): Promise<Record<string, number | string>> {
  return until(
    `${id} has ended`,
    async () => {
      const { rows } = await database.pool.query(
        `SELECT status, recoveries, extract(epoch FROM completed_at)::float AS completed, extract(epoch FROM started_at)::float AS started,
              extract(epoch FROM due_at)::float AS due, extract(epoch FROM completed_at - started_at)::float AS took
         FROM runs WHERE id = $1 AND completed_at IS NOT NULL`,
        [id],
      );
      return rows[0];
    },
    90_000,
  );
}

/** Behind and ahead, by an hour and by a month. */
const SKEWS = [-HOUR_MS, HOUR_MS, -MONTH_MS, MONTH_MS];

it("processes whose dates are wrong start, wake, time out and keep every run when the database says so", async () => {
  // A few at a time: those that start beside too many others give up on their database.
  const apis: ChildService[] = [];
  for (const skewMs of SKEWS)
    apis.push((await Promise.all([start("api", skewMs), start("worker", skewMs)]))[0]);
  await start("worker", 0);
  const { rows } = await database.pool.query(`SELECT extract(epoch FROM clock_timestamp()) * 1000 AS ms`);
  const begun = await Promise.all(
    apis.map(async (api) => ({
      delayed: await begin(api, "flow_hello", { delay: "2s" }),
      napping: await begin(api, "flow_nap"),
      late: await begin(api, "flow_held", { maxDuration: 2 }),
      // Long enough for a lease to run out early, if anybody thought it should.
      kept: await begin(api, "flow_held"),
    })),
  );
  for (const { delayed, napping, late } of begun) {
    expect(Math.abs(idTimeMs(delayed) - Number(rows[0].ms))).toBeLessThan(30_000);
    const runs = await Promise.all([delayed, napping, late].map(ended));
    expect(runs.map(({ status }) => status)).toEqual(["COMPLETED", "COMPLETED", "TIMED_OUT"]);
    const lateness = (runs[0]!["started"] as number) - (runs[0]!["due"] as number);
    for (const [seconds, least] of [
      [lateness, 0],
      [runs[1]!["took"] as number, 2],
      [runs[2]!["took"] as number, 2],
    ] as const) {
      expect(seconds).toBeGreaterThanOrEqual(least);
      expect(seconds).toBeLessThan(least + 20);
    }
  }
  gate.open();
  for (const { kept } of begun)
    expect(await ended(kept)).toMatchObject({ status: "COMPLETED", recoveries: 0 });
}, 180_000);
