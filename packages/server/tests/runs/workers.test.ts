import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { addRun } from "../support/runs.ts";
import { chain, hello, node } from "../support/runs-flows.ts";
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
  it("takes all that is ready at once, however unevenly it lies between organizations", async () => {
    const { pool } = service.database;
    const worker = await startTestService(
      { MILLRACE_WORKER_CONCURRENCY: "60" },
      { database: service.database, role: "worker" },
    );
    try {
      for (const organizationId of ["org_few", "org_some", "org_many"]) {
        await addOrganization(pool, organizationId, { concurrency: 100 });
        await addFlow(pool, organizationId, `flow_${organizationId}`, {
          graph: chain(node("nap", "wait", { duration: "3s" })),
        });
      }
      // The worker of the service itself takes no part in this.
      await service.engine!.worker.drain(0);
      const client = await pool.connect();
      await client.query("BEGIN");
      for (let at = 0; at < 50; at++) {
        const organizationId = at === 0 ? "org_few" : at === 1 ? "org_some" : "org_many";
        await addRun(client, { organizationId, flowId: `flow_${organizationId}` });
      }
      await client.query("COMMIT");
      client.release();
      const seconds = await until("all 50 execute", async () => {
        const { rows } = await pool.query(
          `SELECT count(*) AS count, extract(epoch FROM max(started_at) - min(started_at))::float AS seconds
             FROM runs WHERE organization_id IN ('org_few', 'org_some', 'org_many') AND started_at IS NOT NULL`,
        );
        return rows[0].count === 50 && { spread: rows[0].seconds as number };
      });
      // One round of claims takes milliseconds, the next round comes after a second.
      expect(seconds.spread).toBeLessThan(0.7);
    } finally {
      await worker.stop();
    }
  }, 60_000);
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
      },
    ]);
    await worker.drain(0);
    expect(await service.row(id)).toMatchObject({ status: "WAITING", epoch: 2, recoveries: 0, attempt: 1 });
  });
});
