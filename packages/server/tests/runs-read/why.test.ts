import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withPrefix } from "../../src/domain/ids.ts";
import { chain, node } from "../support/runs-flows.ts";
import type { Gate } from "../support/runs-gate.ts";
import type { RunTestService } from "../support/runs-service.ts";
import { until } from "../support/runs-until.ts";
import { addRun } from "../support/runs.ts";
import { startTestService } from "../support/service.ts";
import { addFlow, addKey, addOrganization, addUser } from "../support/workspace.ts";
import { actionsOf, type AskedService, startAskedService } from "./asked-service.ts";

let asked: AskedService;
let gate: Gate;
let service: RunTestService;
let why: AskedService["why"];
let userKey: string;
let viewerKey: string;

beforeAll(async () => {
  asked = await startAskedService();
  ({ gate, service, why, userKey, viewerKey } = asked);
  const { pool } = service.database;
  await addOrganization(pool, "org_stop", { concurrency: 1 });
  await addOrganization(pool, "org_other");
  await pool.query(
    `INSERT INTO memberships (organization_id, user_id, role) VALUES ('org_stop', 'uma', 'owner')`,
  );
  await addUser(pool, "otto", { org_other: "owner" });
  await addFlow(pool, "org_stop", "flow_stop", { graph: chain(gate.node("stop")) });
  await addFlow(pool, "org_stop", "flow_stop_asks", {
    graph: chain(node("ask", "approval", { message: "Go?" })),
  });
});
afterAll(() => asked.stop());

describe("a run that does not wait", () => {
  it("executes, or has ended", async () => {
    const runId = await service.begin("flow_held");
    await gate.untilArrived(1);
    expect(await why(runId)).toMatchObject({
      waiting: false,
      cause: "executing",
      reason: "The run is not waiting: it is executing.",
    });
    gate.letGo();
    const { completedAt } = await service.untilEnd(runId);
    expect(await why(runId)).toEqual({
      waiting: false,
      cause: "ended",
      reason: "The run is not waiting: it ended COMPLETED.",
      since: completedAt,
      actions: [],
    });
  });
});

describe("a run without a slot", () => {
  it("is told who holds the slots, its place, an estimate, and in five languages why", async () => {
    const holder = await service.begin("flow_held");
    await service.begin("flow_held");
    const last = await service.trigger("flow_held");
    expect(last.status).toBe(202);
    const runId = withPrefix(last.body.data.queueId, "run");
    await service.untilStatus(holder, "EXECUTING");
    const told = await why(runId);
    expect(told).toMatchObject({
      waiting: true,
      cause: "slot",
      position: 2,
      heldBy: [{ runId: holder, flowId: "flow_held", status: "EXECUTING" }],
      // One of this flow has completed above.
      untilIsEstimate: true,
    });
    expect(told.reason).toMatch(/1 of 1 in use.*number 2 in the queue; it should begin around 20/);
    expect(Date.parse(told.until)).toBeGreaterThan(Date.parse(told.since));
    expect(actionsOf(told)).toEqual(["raise_limit", "cancel"]);
    expect(actionsOf(await why(runId, { key: viewerKey }))).toEqual([]);

    const reasons = new Set<string>();
    for (const locale of ["en", "tr", "es", "fr", "de"]) {
      const { body } = await service.get(`/api/runs/${runId}/why`, service.key, { "x-locale": locale });
      expect(body.data.reason).not.toMatch(/[{}?]/);
      reasons.add(body.data.reason);
    }
    expect(reasons.size).toBe(5);
  });

  it("hears that its flow is inactive, which does not stop it", async () => {
    const runId = await service.begin("flow_held");
    const { pool } = service.database;
    await pool.query(`UPDATE flows SET active = false WHERE id = 'flow_held'`);
    const told = await why(runId);
    await pool.query(`UPDATE flows SET active = true WHERE id = 'flow_held'`);
    expect(told).toMatchObject({ cause: "slot", position: 3, notes: ["inactive_flow"] });
    expect(told.reason).toContain("its flow flow_held is inactive");
    expect(actionsOf(told)).toContain("activate_flow");
    gate.open();
    await service.untilEnd(runId);
  });

  it("is not counted to the end of a very long queue, and says so", async () => {
    const { pool } = service.database;
    await addOrganization(pool, "org_long", { concurrency: 0 });
    await addUser(pool, "lola", { org_long: "owner" });
    const { key } = await addKey(pool, { organizationId: "org_long", userId: "lola" });
    await pool.query(
      `INSERT INTO runs (organization_id, id, flow_id, version, status, stage, answered_queued, max_duration_ms, trigger_source, updated_at)
       SELECT 'org_long', 'run_' || lpad(at::text, 24, '0'), 'flow_gone', '20260101.1', 'WAITING', 'queued', true, 3600000, 'api', now()
         FROM generate_series(1, 5002) AS at`,
    );
    const at = (place: number) => `run_${String(place).padStart(24, "0")}`;
    expect(await why(at(5_000), { key })).toMatchObject({ cause: "slot", position: 5_000 });
    const far = await why(at(5_002), { key });
    expect(far).toMatchObject({ cause: "slot", position: 5_001, positionIsMinimum: true });
    expect(far.reason).toContain("concurrency limit of the organization is 0");
    await pool.query(`UPDATE organizations SET concurrency_limit = 1 WHERE id = 'org_long'`);
    await addRun(pool, { organizationId: "org_long", stage: "admitted" });
    const { body } = await service.get(`/api/runs/${at(5_002)}/why`, key);
    expect(["slot", "worker"]).toContain(body.data.cause);
    await pool.query(`DELETE FROM runs WHERE organization_id = 'org_long'`);
  });
});

describe("a suspended organization", () => {
  it("starts nothing and takes no answers, which its members can be told", async () => {
    const { pool } = service.database;
    const start = (flowId: string) =>
      service.begin(flowId, { payload: { organizationId: "org_stop" } }, userKey);
    const asking = await start("flow_stop_asks");
    await until("it is paused", async () => (await service.row(asking))["status"] === "PAUSED");
    await pool.query(`UPDATE organizations SET concurrency_limit = 0 WHERE id = 'org_stop'`);
    const queued = await start("flow_stop");
    await pool.query(
      `UPDATE organizations SET suspended = true, concurrency_limit = 1 WHERE id = 'org_stop'`,
    );
    await until(
      "the key knows of it",
      async () => (await why(queued, { key: userKey })).cause === "suspended_organization",
    );
    // A slot is free, and nobody gets it.
    expect(await why(queued, { key: userKey })).toMatchObject({ waiting: true, position: 1 });
    const told = await why(asking, { key: userKey });
    expect(told).toMatchObject({ cause: "suspended_organization", needs: { kind: "approval" } });
    expect(told.needs.link).toBeUndefined();
    expect(actionsOf(told)).toEqual(["lift_suspension"]);
    expect((await service.row(queued))["stage"]).toBe("queued");

    await pool.query(`UPDATE organizations SET suspended = false WHERE id = 'org_stop'`);
    await until("it has ended", async () => (await service.row(queued))["status"] === "COMPLETED");
  });
});

describe("a service without workers", () => {
  it("says so, and tells a lost worker from none at all", async () => {
    const api = await startTestService({}, { role: "api" });
    try {
      const { pool } = api.database;
      await addOrganization(pool, "org_one", { concurrency: 1 });
      await addUser(pool, "ada", { org_one: "owner" });
      await addFlow(pool, "org_one", "flow_one");
      const { key } = await addKey(pool, { organizationId: "org_one", userId: "ada" });
      const ask = (runId: string) => why(runId, { key, of: api });
      const ready = await addRun(pool);
      expect(await ask(ready)).toMatchObject({
        waiting: true,
        cause: "no_worker",
        actions: [{ action: "start_worker" }, {}],
      });
      const behind = await addRun(pool, { stage: "queued", answeredQueued: true });
      expect(await ask(behind)).toMatchObject({
        cause: "slot",
        notes: ["no_worker"],
        heldBy: [{ runId: ready }],
      });
      const lost = await addRun(pool, { status: "EXECUTING" });
      expect(await ask(lost)).toMatchObject({ waiting: true, cause: "no_worker" });
      const due = await addRun(pool, { stage: "delayed" });
      expect(await ask(due)).toMatchObject({ cause: "no_worker" });
      await pool.query(
        `INSERT INTO processes (id, lock_key, role, host, pid, version) VALUES (gen_random_uuid(), 1, 'worker', 'there', 1, '0')`,
      );
      expect(await ask(lost)).toMatchObject({ waiting: true, cause: "lost_worker" });
      expect(await ask(ready)).toMatchObject({ waiting: true, cause: "worker" });
    } finally {
      await api.stop();
    }
  });
});

it("is nobody else's business", async () => {
  const runId = await service.begin("flow_held", { delay: "1h" });
  const { key } = await addKey(service.database.pool, { organizationId: "org_other", userId: "otto" });
  expect((await service.get(`/api/runs/${runId}/why`, key)).body.code).toBe("run_not_found");
  expect((await service.get(`/api/runs/${withPrefix(runId, "queue")}/why`, key)).body.code).toBe(
    "invalid_run_id",
  );
});
