import { terminalStatuses } from "@millrace/contract/run-status";
import { runCanceledAnswer } from "@millrace/contract/trigger";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { IdMaker } from "../../src/domain/ids.ts";
import { addRun } from "../support/runs.ts";
import { chain, hello, node } from "../support/runs-flows.ts";
import { type Gate, startGate } from "../support/runs-gate.ts";
import { asRunService, type RunTestService, startRunService } from "../support/runs-service.ts";
import { until } from "../support/runs-until.ts";
import { startTestService } from "../support/service.ts";
import { addKey, addOrganization, addUser } from "../support/workspace.ts";

let service: RunTestService;
let gate: Gate;
beforeAll(async () => {
  service = await startRunService({ concurrency: 1 });
  await service.flow("flow_hello", hello);
});
afterAll(() => service.stop());
beforeEach(async () => {
  gate = await startGate();
});
afterEach(() => gate.close());

const cancel = (runId: string, key = service.key) =>
  service.send("POST", `/api/runs/${runId}/cancel`, { key });

describe("cancel", () => {
  it("ends an executing run at once and closes its connection", async () => {
    await service.flow("flow_fetch", chain(gate.node("hold")));
    const id = await service.begin("flow_fetch");
    await gate.untilArrived(1);
    const answer = await cancel(id);
    expect(answer.status).toBe(200);
    const { data } = runCanceledAnswer.parse(answer.body);
    expect(data).toEqual({ id, status: "CANCELED", canceledAt: expect.any(String) });
    expect((await service.row(id))["status"]).toBe("CANCELED");
    await until("the connection is closed", () => gate.dropped.length === 1);
    expect((await service.get(`/api/runs/${id}`, service.key)).body.data).toMatchObject({
      status: "CANCELED",
      completedAt: data.canceledAt,
    });
  });

  it("reaches a run that another process executes within two seconds", async () => {
    await service.flow("flow_far", chain(gate.node("far")));
    const apiOnly = await startTestService({}, { database: service.database, role: "api" });
    try {
      const id = await service.begin("flow_far");
      await gate.untilArrived(1);
      const far = asRunService(apiOnly, service.key);
      const answer = await far.send("POST", `/api/runs/${id}/cancel`, { key: service.key });
      expect(answer.status).toBe(200);
      await until("the connection is closed", () => gate.dropped.length === 1, 2_000);
    } finally {
      await apiOnly.stop();
    }
  });

  it("stops code that loops for ever", async () => {
    await service.flow("flow_loop", chain(node("spin", "code", { source: "for (;;) {}" })));
    const id = await service.begin("flow_loop");
    await service.untilStatus(id, "EXECUTING");
    expect((await cancel(id)).status).toBe(200);
    await until("the worker has let go", () => service.engine!.worker.size === 0, 2_000);
  });

  it("frees the slot for the next in the queue", async () => {
    await service.flow("flow_slot", chain(gate.node("slot")));
    const first = await service.begin("flow_slot");
    const second = await service.trigger("flow_slot");
    expect(second.status).toBe(202);
    await gate.untilArrived(1);
    await cancel(first);
    await gate.untilArrived(2);
    gate.letGo();
    const id = second.body.data.queueId.replace("queue_", "run_");
    expect((await service.untilEnd(id)).status).toBe("COMPLETED");
  });

  it.each([["delayed", { delay: "1h" }, 201]] as const)("ends a %s run", async (_, body, status) => {
    const answer = await service.trigger("flow_hello", body);
    expect(answer.status).toBe(status);
    expect((await cancel(answer.body.data.id)).status).toBe(200);
    expect((await service.row(answer.body.data.id))["status"]).toBe("CANCELED");
  });

  it("ends a run that still waits in the queue", async () => {
    await service.flow("flow_full", chain(gate.node("full")));
    const first = await service.begin("flow_full");
    const second = await service.trigger("flow_hello");
    expect(second.status).toBe(202);
    const id = second.body.data.queueId.replace("queue_", "run_");
    expect((await cancel(id)).status).toBe(200);
    const path = `/api/runs/queue/${second.body.data.queueId}?filter[organizationId]=org_run`;
    expect((await service.get(path, service.key)).status).toBe(404);
    await cancel(first);
  });

  it.each([...terminalStatuses, "PAUSED"] as const)(
    "is refused with 400 for a run that is %s, which stays as it is",
    async (status) => {
      const id = await addRun(service.database.pool, { organizationId: "org_run", status });
      const before = await service.row(id);
      const answer = await cancel(id);
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({
        success: false,
        error: "Run cannot be cancelled",
        code: "run_not_cancelable",
        messageParams: { runId: id, status },
      });
      expect(await service.row(id)).toEqual(before);
    },
  );

  it("is refused the second time", async () => {
    const id = await service.begin("flow_hello", { delay: "1h" });
    const answers = await Promise.all(Array.from({ length: 10 }, () => cancel(id)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 9 }, () => 400),
    ]);
  });

  it("is 404 for another organization's run, exactly as for one that does not exist", async () => {
    const { pool } = service.database;
    await addOrganization(pool, "org_far");
    await addUser(pool, "faye", { org_far: "owner" });
    const { key } = await addKey(pool, { organizationId: "org_far", userId: "faye" });
    const id = await addRun(pool, { organizationId: "org_run" });
    const missing = new IdMaker(() => Date.now()).make("run");
    const [foreign, none] = [await cancel(id, key), await cancel(missing, key)];
    expect([foreign.status, none.status]).toEqual([404, 404]);
    expect(foreign.body).toEqual(none.body);
    expect((await service.row(id))["status"]).toBe("WAITING");
    await pool.query(`DELETE FROM runs WHERE id = $1`, [id]);
  });

  it("is 403 for a viewer and 400 for an id that is none", async () => {
    const { pool } = service.database;
    await addUser(pool, "vik", { org_run: "viewer" });
    const { key } = await addKey(pool, { organizationId: "org_run", userId: "vik" });
    const id = await service.begin("flow_hello", { delay: "1h" });
    expect((await cancel(id, key)).status).toBe(403);
    const wrong = await cancel("abc");
    expect([wrong.status, wrong.body.error]).toEqual([400, "Invalid run ID"]);
  });
});
