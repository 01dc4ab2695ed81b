import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { settleStall, type StallCause } from "../../src/storage/runs/settle-stall.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { addRun } from "../support/runs.ts";
import { addFlow, addOrganization } from "../support/workspace.ts";

let database: TestDatabase;
const stalled = randomUUID();
const other = randomUUID();
beforeAll(async () => {
  database = await createTestDatabase();
  await addOrganization(database.pool, "org_one");
  await addFlow(database.pool, "org_one", "flow_one");
  await addFlow(database.pool, "org_one", "flow_two");
});
beforeEach(() => database.pool.query(`DELETE FROM runs`));
afterAll(() => database.drop());

async function addExecuting(flowId: string, processId: string, recoveries = 0): Promise<string> {
  const { pool } = database;
  const id = await addRun(pool, { organizationId: "org_one", flowId, status: "EXECUTING" });
  await pool.query(`UPDATE runs SET process_id = $2, recoveries = $3 WHERE id = $1`, [
    id,
    processId,
    recoveries,
  ]);
  return id;
}

const row = async (id: string) =>
  (await database.pool.query(`SELECT status, recoveries, process_id FROM runs WHERE id = $1`, [id])).rows[0];

async function settle(cause: StallCause): Promise<void> {
  const { user, password, database: name, host } = database.connection;
  await settleStall(cause, {
    processId: stalled,
    limitMs: 10_000,
    databaseUrl: `postgres://${user}:${String(password)}@/${name}?host=${encodeURIComponent(host!)}`,
    dataDirectory: "",
  });
}

const GIVEN_BACK = { status: "WAITING", recoveries: 0, process_id: null };
const LOST_ONCE = { status: "WAITING", recoveries: 1, process_id: null };

describe("a process that stands still in a run", () => {
  it("costs that run a recovery, its neighbours nothing, and other processes nothing at all", async () => {
    const culprit = await addExecuting("flow_one", stalled);
    const neighbours = [await addExecuting("flow_one", stalled), await addExecuting("flow_two", stalled)];
    const elsewhere = await addExecuting("flow_one", other);
    await settle({ organizationId: "org_one", runId: culprit, flowId: "flow_one", nodeKey: "a" });
    expect(await row(culprit)).toEqual(LOST_ONCE);
    for (const id of neighbours) expect(await row(id)).toEqual(GIVEN_BACK);
    expect(await row(elsewhere)).toEqual({ status: "EXECUTING", recoveries: 0, process_id: other });
  });

  it("ends it at its third time, with the node in the error", async () => {
    const culprit = await addExecuting("flow_one", stalled, 2);
    const unlucky = await addExecuting("flow_one", stalled, 2);
    await settle({
      organizationId: "org_one",
      runId: culprit,
      flowId: "flow_one",
      nodeKey: "outer[2].inner[0]",
    });
    expect(await row(culprit)).toMatchObject({ status: "CRASHED", recoveries: 3 });
    expect(await row(unlucky)).toMatchObject({ status: "WAITING", recoveries: 2 });
    const { rows } = await database.pool.query(`SELECT error FROM run_results WHERE run_id = $1`, [culprit]);
    expect(rows[0].error).toEqual({
      name: "ServiceStalled",
      message:
        "The run stopped the service for longer than 10 s in node outer[2].inner[0], and its worker was lost 3 times.",
      nodeId: "inner",
    });
  });
});

describe("a process that stands still elsewhere", () => {
  it("costs all runs of a flow that does not come to an end of being compiled", async () => {
    const culprits = [await addExecuting("flow_one", stalled), await addExecuting("flow_one", stalled)];
    const neighbour = await addExecuting("flow_two", stalled);
    await settle({ organizationId: "org_one", flowId: "flow_one" });
    for (const id of culprits) expect(await row(id)).toEqual(LOST_ONCE);
    expect(await row(neighbour)).toEqual(GIVEN_BACK);
  });

  it("costs no run anything where it stands in a request", async () => {
    const id = await addExecuting("flow_one", stalled, 0);
    await settle({});
    expect(await row(id)).toEqual(GIVEN_BACK);
  });
});
