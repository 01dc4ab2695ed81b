import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ChildService, startChildService } from "../support/child-service.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { type LoopbackServer, startLoopbackServer } from "../support/loopback-server.ts";
import { chain, node } from "../support/runs-flows.ts";
import { until } from "../support/runs-until.ts";
import { addFlow, addKey, addOrganization, addUser } from "../support/workspace.ts";

/** The last one is longer than a run waits in place. */
const DURATIONS_MS = [50, 300, 700, 1_000, 1_500, 2_000, 3_000, 6_000];
const stopwatch = new URL("fast-stopwatch.ts", import.meta.url).href;

let database: TestDatabase;
let receiver: LoopbackServer;
const processes: ChildService[] = [];
let key: string;
/** When the effect behind a wait arrived, by flow. The database is on this machine and has the same clock. */
const arrived = new Map<string, number>();

beforeAll(async () => {
  database = await createTestDatabase();
  receiver = await startLoopbackServer((request, response) => {
    arrived.set(request.url!.slice(1), Date.now());
    response.writeHead(200).end();
  });
  const { pool } = database;
  await addOrganization(pool, "org_run");
  await addUser(pool, "rosa", { org_run: "owner" });
  ({ key } = await addKey(pool, { organizationId: "org_run", userId: "rosa" }));
  for (const durationMs of DURATIONS_MS) {
    const graph = chain(
      node("nap", "wait", { duration: durationMs / 1_000 }),
      node("call", "http-request", { url: `${receiver.url}/flow_${durationMs}` }),
    );
    await addFlow(pool, "org_run", `flow_${durationMs}`, { graph });
  }
  const until = node("nap", "wait", { until: "{{ data.until }}" });
  const call = node("call", "http-request", { url: `${receiver.url}/flow_until` });
  await addFlow(pool, "org_run", "flow_until", { graph: chain(until, call) });
  const env = { NODE_OPTIONS: `--import=${stopwatch}`, STOPWATCH_RATE: "1.4" };
  processes.push(
    ...(await Promise.all([
      startChildService("api", database.connection),
      startChildService("worker", database.connection, env),
    ])),
  );
});
afterAll(async () => {
  await Promise.all(processes.map((one) => one.end()));
  await receiver.close();
  await database.drop();
});

describe("a process whose clock runs fast", () => {
  const begin = async (flowId: string, data = {}) => {
    const answer = await fetch(`${processes[0]!.address}/api/runs`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ payload: { flowId, data } }),
    });
    expect(answer.status).toBe(201);
  };

  it("ends no wait before the database's clock says so", async () => {
    for (const durationMs of DURATIONS_MS) await begin(`flow_${durationMs}`);
    // The clock of the process is ahead by then.
    await sleep(1_000);
    const untilMs = Date.now() + 300;
    await begin("flow_until", { until: new Date(untilMs).toISOString() });
    await until("all have called", () => arrived.size === DURATIONS_MS.length + 1, 60_000);
    expect(arrived.get("flow_until")).toBeGreaterThanOrEqual(untilMs);
    const { rows } = await database.pool.query<{ flowId: string; dueMs: number; longMs: number }>(
      `SELECT r.flow_id AS "flowId", floor(extract(epoch FROM w.due_at) * 1000)::float AS "dueMs",
              extract(epoch FROM w.due_at - w.created_at)::float * 1000 AS "longMs"
         FROM run_waits w JOIN runs r ON r.organization_id = w.organization_id AND r.id = w.run_id
        WHERE r.flow_id <> 'flow_until'`,
    );
    expect(rows).toHaveLength(DURATIONS_MS.length);
    for (const { flowId, dueMs, longMs } of rows) {
      expect([flowId, longMs]).toEqual([flowId, Number(flowId.slice("flow_".length))]);
      expect([flowId, arrived.get(flowId)! >= dueMs]).toEqual([flowId, true]);
    }
  });
});
