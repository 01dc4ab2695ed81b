import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chain, hello, node } from "../support/runs-flows.ts";
import { type Gate, startGate } from "../support/runs-gate.ts";
import { type RunTestService, startRunService } from "../support/runs-service.ts";

let service: RunTestService;
let gate: Gate;
beforeAll(async () => {
  service = await startRunService({ concurrency: 1 });
  gate = await startGate();
  await service.flow("flow_hello", hello);
  await service.flow("flow_other", hello);
  await service.flow("flow_broken", chain(node("stop", "fail", { message: "no" })));
  await service.flow("flow_hold", chain(gate.node("hold")));
});
afterAll(async () => {
  await gate.close();
  await service.stop();
});

describe("a second trigger with the same idempotency key", () => {
  it("answers 201 with the run as it is now, whatever its body says", async () => {
    const first = await service.trigger("flow_hello", { idempotencyKey: "one" });
    expect(first.status).toBe(201);
    const { id } = first.body.data;
    await service.untilEnd(id);
    const again = await service.trigger("flow_hello", {
      idempotencyKey: "one",
      maxAttempts: 7,
      payload: { inputs: { greet_values: "not an object" }, data: { other: true } },
    });
    expect(again.status).toBe(201);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(again.body.data).toEqual({ ...first.body.data, status: "COMPLETED" });
  });

  it("answers with a run that failed, too", async () => {
    const id = await service.begin("flow_broken", { idempotencyKey: "broken" });
    expect((await service.untilEnd(id)).status).toBe("FAILED");
    const again = await service.trigger("flow_broken", { idempotencyKey: "broken" });
    expect([again.status, again.body.data.id, again.body.data.status]).toEqual([201, id, "FAILED"]);
  });

  it("is another run for another flow", async () => {
    const one = await service.begin("flow_hello", { idempotencyKey: "shared" });
    await service.untilEnd(one);
    const other = await service.trigger("flow_other", { idempotencyKey: "shared" });
    expect(other.headers.get("idempotent-replayed")).toBeNull();
    expect(other.body.data.id).not.toBe(one);
    await service.untilEnd(other.body.data.id);
  });

  it("answers 202 with the same ids while the run is queued, and 201 once it runs", async () => {
    const holding = await service.begin("flow_hold");
    const queued = await service.trigger("flow_hold", { idempotencyKey: "queued" });
    const again = await service.trigger("flow_hold", { idempotencyKey: "queued" });
    expect([queued.status, again.status]).toEqual([202, 202]);
    expect(again.body).toEqual(queued.body);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(queued.headers.get("idempotent-replayed")).toBeNull();
    await gate.untilArrived(1);
    gate.letGo();
    await service.untilEnd(holding);
    await gate.untilArrived(2);
    const running = await service.trigger("flow_hold", { idempotencyKey: "queued" });
    expect([running.status, running.body.data.status]).toEqual([201, "EXECUTING"]);
    expect(running.body.data.id.slice(4)).toBe(queued.body.data.queueId.slice(6));
    gate.letGo();
    await service.untilEnd(running.body.data.id);
  });

  it("is checked before the flow is validated, and after access to it", async () => {
    const id = await service.begin("flow_hello", { idempotencyKey: "kept" });
    await service.untilEnd(id);
    await service.database.pool.query(
      `INSERT INTO flow_versions (organization_id, flow_id, version, hash, graph) VALUES ('org_run', 'flow_hello', '20260101.2', 'h2', '{"nodes":[],"edges":[]}')`,
    );
    const version = (version: string) =>
      service.database.pool.query(`UPDATE flows SET version = $1 WHERE id = 'flow_hello'`, [version]);
    await version("20260101.2");
    // A flow is read again after a second.
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    expect((await service.trigger("flow_hello")).status).toBe(400);
    expect((await service.trigger("flow_hello", { idempotencyKey: "kept" })).body.data.id).toBe(id);
    const foreign = { payload: { organizationId: "org_else" }, idempotencyKey: "kept" };
    expect((await service.trigger("flow_hello", foreign)).status).toBe(404);
    await version("20260101.1");
  });

  it("counts 2,048 characters and no more", async () => {
    const accepted = await service.trigger("flow_other", { idempotencyKey: "ü".repeat(2_048) });
    expect([201, 202]).toContain(accepted.status);
    expect((await service.trigger("flow_other", { idempotencyKey: "k".repeat(2_049) })).status).toBe(400);
  });
});
