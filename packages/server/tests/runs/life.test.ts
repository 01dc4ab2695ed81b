import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addRun } from "../support/runs.ts";
import { chain, hello, node } from "../support/runs-flows.ts";
import { type Gate, startGate } from "../support/runs-gate.ts";
import { type RunTestService, startRunService } from "../support/runs-service.ts";
import { until } from "../support/runs-until.ts";

let service: RunTestService;
beforeAll(async () => {
  service = await startRunService({ concurrency: 2 });
  await service.flow("flow_hello", hello);
});
afterAll(() => service.stop());

async function withGate(work: (gate: Gate) => Promise<void>): Promise<void> {
  const gate = await startGate();
  try {
    await work(gate);
  } finally {
    await gate.close();
  }
}

const due = (runId: string) =>
  service.database.pool.query(`UPDATE runs SET due_at = clock_timestamp() WHERE id = $1`, [runId]);

describe("a delayed run", () => {
  it("is answered 201 WAITING, holds no slot, and begins when it is due and not before", async () => {
    const answer = await service.trigger("flow_hello", { delay: "2h" });
    expect([answer.status, answer.body.data.status]).toEqual([201, "WAITING"]);
    const row = await service.row(answer.body.data.id);
    expect(row).toMatchObject({ status: "WAITING", stage: "delayed", holds_slot: false, started_at: null });
    const dueInMs = (row["due_at"] as Date).getTime() - Date.parse(answer.body.data.createdAt);
    expect(Math.abs(dueInMs - 7_200_000)).toBeLessThan(10_000);
    await due(answer.body.data.id);
    expect((await service.untilEnd(answer.body.data.id)).status).toBe("COMPLETED");
  });
});

describe("a run that fails", () => {
  it("ends FAILED and says which node failed and why", async () => {
    await service.flow("flow_fail", chain(node("stop", "fail", { message: "The order is empty." })));
    const run = await service.untilEnd(await service.begin("flow_fail"));
    expect(run).toMatchObject({
      status: "FAILED",
      error: { message: "The order is empty.", nodeId: "stop" },
    });
    expect(run).not.toHaveProperty("output");
  });

  it("is tried again up to maxAttempts, and nodes that ended well are not run again", () =>
    withGate(async (gate) => {
      await service.flow("flow_twice", chain(gate.node("first"), gate.node("second")));
      const id = await service.begin("flow_twice", { maxAttempts: 2 });
      await gate.untilArrived(1);
      gate.letGo();
      await gate.untilArrived(2);
      gate.letGo(500);
      await until("the run waits for its second attempt", async () => {
        const row = await service.row(id);
        return row["stage"] === "delayed" && row["attempt"] === 2;
      });
      expect(await service.row(id)).toMatchObject({ status: "WAITING", holds_slot: false });
      await due(id);
      await gate.untilArrived(3);
      gate.letGo();
      expect((await service.untilEnd(id)).status).toBe("COMPLETED");
      expect(gate.arrived).toEqual(["/first", "/second", "/second"]);
    }));

  it("ends FAILED when no attempt is left", () =>
    withGate(async (gate) => {
      await service.flow("flow_never", chain(gate.node("never")));
      const id = await service.begin("flow_never", { maxAttempts: 2 });
      for (const count of [1, 2]) {
        await gate.untilArrived(count);
        gate.letGo(503);
        if (count === 1) {
          await until("it is put back", async () => (await service.row(id))["attempt"] === 2);
          await due(id);
        }
      }
      expect((await service.untilEnd(id)).status).toBe("FAILED");
      expect(await service.row(id)).toMatchObject({ attempt: 2, max_attempts: 2 });
    }));
});

describe("a run that takes too long", () => {
  it("ends TIMED_OUT, and its connection is closed", () =>
    withGate(async (gate) => {
      await service.flow("flow_slow", chain(gate.node("slow")));
      const id = await service.begin("flow_slow", { maxDuration: 0.3 });
      const run = await service.untilEnd(id);
      expect(run).toMatchObject({ status: "TIMED_OUT", error: { name: "TimedOut" } });
      await until("the connection is closed", () => gate.dropped.length === 1);
    }));

  it("is ended by whoever sees it, when its worker hangs", () =>
    withGate(async (gate) => {
      await service.flow("flow_hangs", chain(gate.node("hangs")));
      const id = await service.begin("flow_hangs");
      await gate.untilArrived(1);
      await service.database.pool.query(
        `UPDATE runs SET deadline_at = clock_timestamp() - interval '6 seconds' WHERE id = $1`,
        [id],
      );
      expect((await service.untilEnd(id)).status).toBe("TIMED_OUT");
      await until("the worker has let go", () => gate.dropped.length === 1);
    }));
});

describe("a run that cannot be executed", () => {
  it("ends CRASHED after the third try and does not go on for ever", async () => {
    const id = await addRun(service.database.pool, { organizationId: "org_run", flowId: "flow_vanished" });
    const run = await service.untilEnd(id);
    expect(run).toMatchObject({ status: "CRASHED", error: { name: "ExecutionFailed" } });
    expect(await service.row(id)).toMatchObject({ recoveries: 3, attempt: 1 });
    expect(service.faults.splice(0)).toEqual(Array(3).fill(expect.stringContaining("has no version")));
  });
});

describe("a durable wait", () => {
  it("makes the run PAUSED without a slot, and time spent there does not count", async () => {
    await service.flow(
      "flow_wait",
      chain(
        node("before", "set", { values: { at: 1 } }),
        node("pause", "wait", { duration: "1h" }),
        node("done", "return", { value: { waited: "{{ nodes.pause.waitedUntil }}" } }),
      ),
    );
    const id = await service.begin("flow_wait", { maxDuration: 30 });
    const paused = await service.untilStatus(id, "PAUSED");
    expect(paused.pause).toMatchObject({ nodeId: "pause", kind: "wait" });
    expect(await service.row(id)).toMatchObject({ holds_slot: false, process_id: null, deadline_at: null });
    await service.database.pool.query(
      `UPDATE run_waits SET due_at = clock_timestamp(), created_at = clock_timestamp() - interval '1 hour' WHERE run_id = $1`,
      [id],
    );
    await service.database.pool.query(
      `UPDATE runs SET claimed_at = claimed_at - interval '1 hour' WHERE id = $1`,
      [id],
    );
    const run = await service.untilEnd(id);
    expect(run.status).toBe("COMPLETED");
    expect(run.output.waited).toEqual(expect.any(String));
    const nodes = (await service.get(`/api/runs/${id}/nodes`, service.key)).body.data;
    expect(nodes.map(({ nodeId }: { nodeId: string }) => nodeId).toSorted()).toEqual([
      "before",
      "done",
      "pause",
      "start",
    ]);
  });
});
