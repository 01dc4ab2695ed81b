import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { addRun } from "../support/runs.ts";
import { chain, fan, hello, node, type TestGraph } from "../support/runs-flows.ts";
import { type Gate, startGate } from "../support/runs-gate.ts";
import { type RunTestService, startRunService } from "../support/runs-service.ts";
import { until } from "../support/runs-until.ts";
import { startTestService } from "../support/service.ts";
import { addFlow, addOrganization } from "../support/workspace.ts";

let service: RunTestService;
let gate: Gate;
beforeEach(async () => {
  service = await startRunService({ concurrency: 2 });
  gate = await startGate();
  await service.flow("flow_hello", hello);
});
afterEach(async () => {
  await gate.close();
  await service.stop();
});

describe("a worker with room", () => {
  /** A worker of its own on the database of the service, whose worker takes no part. */
  async function withWorker(concurrency: number, test: () => Promise<void>): Promise<void> {
    await service.engine!.worker.drain(0);
    const worker = await startTestService(
      { MILLRACE_WORKER_CONCURRENCY: String(concurrency) },
      { database: service.database, role: "worker" },
    );
    try {
      await test();
    } finally {
      gate.open();
      await worker.stop();
    }
  }

  async function addOrganizations(...organizationIds: string[]): Promise<void> {
    const { pool } = service.database;
    for (const organizationId of organizationIds) {
      await addOrganization(pool, organizationId, { concurrency: 1_000 });
      const graph = chain(gate.node(organizationId, `/${organizationId}/{{ run.id }}`));
      await addFlow(pool, organizationId, `flow_${organizationId}`, { graph });
      await addFlow(pool, organizationId, `hello_${organizationId}`, { graph: hello });
    }
  }

  async function addRuns(organizationId: string, count: number, flowId = `flow_${organizationId}`) {
    const ids: string[] = [];
    for (let at = 0; at < count; at++)
      ids.push(await addRun(service.database.pool, { organizationId, flowId }));
    return ids;
  }

  /** How many of its runs have ever reached the gate: while it is closed none leaves, so this never falls. */
  const begun = (organizationId: string) =>
    new Set(gate.arrived.filter((path) => path.startsWith(`/${organizationId}/`))).size;

  const executing = async (organizationId: string): Promise<number> => {
    const count = `SELECT count(*)::int AS count FROM runs WHERE organization_id = $1 AND status = 'EXECUTING'`;
    return (await service.database.pool.query(count, [organizationId])).rows[0].count;
  };

  const untilBegun = (organizationId: string, count: number) =>
    until(`${count} runs of ${organizationId} have begun`, () => begun(organizationId) >= count);

  it("takes all that is ready, however unevenly it lies between organizations", async () => {
    await addOrganizations("org_few", "org_some", "org_many");
    await addRuns("org_few", 1);
    await addRuns("org_some", 1);
    await addRuns("org_many", 48);
    await withWorker(80, async () => {
      await until("all execute at the same time", async () => {
        const { rows } = await service.database.pool.query(
          `SELECT count(*)::int AS count FROM runs WHERE flow_id LIKE 'flow_org_%' AND status = 'EXECUTING'`,
        );
        return rows[0].count === 50;
      });
    });
  }, 60_000);

  it("keeps places for others, however many runs one organization has that hang", async () => {
    await addOrganizations("org_bad", "org_worse", "org_good");
    await addRuns("org_bad", 50);
    await withWorker(16, async () => {
      await untilBegun("org_bad", 12);
      await addRuns("org_worse", 50);
      await untilBegun("org_worse", 3);
      for (const id of await addRuns("org_good", 3, "hello_org_good")) {
        const status = async () =>
          (await service.database.pool.query(`SELECT status FROM runs WHERE id = $1`, [id])).rows[0].status;
        await until("the run of the others ends", async () => (await status()) === "COMPLETED");
      }
      // Meanwhile, with 85 more runs ready, neither of the two has taken what is kept for others; a machine that stood still
      // for seconds may have cost the worker its runs, and dealt them anew.
      const [bad, worse] = [await executing("org_bad"), await executing("org_worse")];
      expect(bad).toBeLessThanOrEqual(12);
      expect(bad + worse).toBeLessThanOrEqual(15);
      gate.open();
      await until("all that waited was executed in turn", async () => {
        const { rows } = await service.database.pool.query(
          `SELECT count(*)::int AS count FROM runs WHERE flow_id LIKE 'flow_org_%' AND status = 'COMPLETED'`,
        );
        return rows[0].count === 100;
      });
    });
  }, 120_000);
});

describe("a process that stops", () => {
  it("gives its runs back without costing them an attempt, and another one finishes them", async () => {
    await service.flow("flow_moved", chain(gate.node("kept"), gate.node("held")));
    const id = await service.begin("flow_moved", { maxAttempts: 1 });
    await gate.untilArrived(1);
    gate.letGo();
    await gate.untilArrived(2);
    // The worker is asked to leave at once; the duties of the service go on without it.
    await service.engine!.worker.drain(0);
    expect(await service.row(id)).toMatchObject({
      status: "WAITING",
      stage: "admitted",
      attempt: 1,
      recoveries: 0,
    });
    const other = await startTestService({}, { database: service.database });
    try {
      await gate.untilArrived(3);
      gate.letGo();
      expect((await service.untilEnd(id)).status).toBe("COMPLETED");
      expect(gate.arrived).toEqual(["/kept", "/held", "/held"]);
      expect(await service.row(id)).toMatchObject({ attempt: 1, recoveries: 0 });
    } finally {
      await other.stop();
    }
  });

  it("stays for work, not for runs that only wait: for a time, or between two attempts", async () => {
    const retry = { maxAttempts: 2, backoffSeconds: 300 };
    const failing = node("failing", "http-request", { url: "http://127.0.0.1:9/" }, { retry });
    const rounds: TestGraph["nodes"] = [
      { id: "each", type: "for-each", data: { inputs: { items: "{{ [1..500] }}", concurrency: 3 } } },
      { id: "breath", type: "wait", parentId: "each", data: { inputs: { duration: "4s" } } },
    ];
    const waiting = fan(failing, rounds[0]!);
    await service.flow("flow_waits", { ...waiting, nodes: [...waiting.nodes, rounds[1]!] });
    const both = fan(gate.node("held"), rounds[0]!);
    await service.flow("flow_both", { ...both, nodes: [...both.nodes, rounds[1]!] });
    const waits = await service.begin("flow_waits");
    const works = await service.begin("flow_both");
    await gate.untilArrived(1);
    const tried = `SELECT node_key FROM run_nodes WHERE run_id = $1 AND node_key = 'failing'`;
    await until("one is between two attempts", async () => (await service.rows(tried, waits)).length === 1);
    let hasGone = false;
    const gone = service.engine!.worker.drain(3_600_000).then(() => (hasGone = true));
    await until("what only waits is given back", async () => (await service.status(waits)) === "WAITING");
    expect([await service.status(works), hasGone]).toEqual(["EXECUTING", false]);
    gate.letGo();
    await gone;
    for (const id of [waits, works])
      expect(await service.row(id)).toMatchObject({ status: "WAITING", attempt: 1, recoveries: 0 });
    const other = await startTestService({}, { database: service.database });
    try {
      await until("another one goes on", async () => (await service.status(works)) === "EXECUTING");
      await service.send("POST", `/api/runs/${works}/cancel`, { key: service.key });
      await service.send("POST", `/api/runs/${waits}/cancel`, { key: service.key });
      expect(gate.arrived).toEqual(["/held"]);
    } finally {
      await other.stop();
    }
  });

  it("gives back what it is handed while it stops", async () => {
    const { pool } = service.database;
    const id = await addRun(pool, { organizationId: "org_run", flowId: "flow_hello", status: "EXECUTING" });
    await pool.query(`UPDATE runs SET process_id = $2, epoch = 1 WHERE id = $1`, [
      id,
      service.engine!.process.id,
    ]);
    const { worker } = service.engine!;
    await worker.drain(0);
    worker.take([
      {
        organizationId: "org_run",
        id,
        flowId: "flow_hello",
        version: "20260101.1",
        epoch: 1,
        attempt: 1,
        remainingMs: 60_000,
        depth: 0,
        data: undefined,
        inputs: undefined,
        trigger: undefined,
        payloadLength: 0,
      },
    ]);
    await worker.drain(0);
    expect(await service.row(id)).toMatchObject({ status: "WAITING", epoch: 2, recoveries: 0, attempt: 1 });
  });
});
