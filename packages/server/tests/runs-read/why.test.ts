import { whyAnswer } from "@millrace/contract/why";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withPrefix } from "../../src/domain/ids.ts";
import { createTerminal, type Terminal } from "../cli/terminal.ts";
import { chain, fan, node } from "../support/runs-flows.ts";
import { type Gate, startGate } from "../support/runs-gate.ts";
import { type RunTestService, startRunService } from "../support/runs-service.ts";
import { until } from "../support/runs-until.ts";
import { addRun } from "../support/runs.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { addFlow, addKey, addOrganization, addUser } from "../support/workspace.ts";

let gate: Gate;
let service: RunTestService;
let terminal: Terminal;
/** Of a member of org_run and of org_stop. */
let userKey: string;
let viewerKey: string;

beforeAll(async () => {
  gate = await startGate();
  service = await startRunService({ concurrency: 1 });
  terminal = await createTerminal();
  const { pool } = service.database;
  await addOrganization(pool, "org_stop", { concurrency: 1 });
  await addOrganization(pool, "org_other");
  await addUser(pool, "uma", { org_run: "member", org_stop: "owner" });
  await addUser(pool, "vera", { org_run: "viewer" });
  await addUser(pool, "otto", { org_other: "owner" });
  userKey = (await addKey(pool, { scope: "user", userId: "uma" })).key;
  viewerKey = (await addKey(pool, { organizationId: "org_run", userId: "vera" })).key;
  await service.flow("flow_held", chain(gate.node("hold"), node("done", "return", { value: {} })));
  await service.flow("flow_asks", chain(node("ask", "approval", { message: "Really?" })));
  await addFlow(pool, "org_stop", "flow_stop", { graph: chain(gate.node("stop")) });
  await addFlow(pool, "org_stop", "flow_stop_asks", {
    graph: chain(node("ask", "approval", { message: "Go?" })),
  });
});
afterAll(async () => {
  await terminal.close();
  await service.stop();
  await gate.close();
});

/** Through the API, checked against the contract, and through the command line, which must say the same. */
async function why(runId: string, { key = service.key, of = service as TestService } = {}) {
  const { status, body } = await of.get(`/api/runs/${runId}/why`, key);
  expect({ status, fault: whyAnswer.safeParse(body).error?.message }).toEqual({ status: 200 });
  const env = { MILLRACE_URL: of.address, MILLRACE_API_KEY: key };
  const told = await terminal.json(`runs why ${withPrefix(runId, "rh")}`, env);
  expect(told.cause).toBe(body.data.cause);
  const { code, stdout } = await terminal.run(`runs why ${withPrefix(runId, "queue")}`, env);
  expect(code).toBe(0);
  // An estimate moves on with the time.
  expect(stdout.split("\n")[0]).toContain(body.data.reason.split(/; it should|\.$/)[0]);
  return body.data;
}

const actionsOf = ({ actions }: { actions: { action: string }[] }) => actions.map(({ action }) => action);

/** Runs that rest are held there: nobody has to ask quickly. */
async function restLong(runId: string): Promise<void> {
  await until(`${runId} rests`, async () => {
    const { rowCount } = await service.database.pool.query(
      `UPDATE runs SET due_at = now() + interval '1 hour' WHERE id = $1 AND status = 'WAITING' AND stage = 'delayed'`,
      [runId],
    );
    return rowCount === 1;
  });
}

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

describe("a run that rests", () => {
  it("waits for its delay", async () => {
    const runId = await service.begin("flow_held", { delay: "1h" });
    const told = await why(runId);
    expect(told).toMatchObject({ waiting: true, cause: "delay" });
    expect(Date.parse(told.until) - Date.parse(told.since)).toBe(3_600_000);
    expect(told.reason).toContain(told.until);
    expect(actionsOf(told)).toEqual(["cancel"]);
  });

  it("waits for its next attempt, and says after which error", async () => {
    await service.flow("flow_broken", chain(node("call", "http-request", { url: "http://127.0.0.1:1/" })));
    const runId = await service.begin("flow_broken", { maxAttempts: 100 });
    await restLong(runId);
    const told = await why(runId);
    expect(told).toMatchObject({ waiting: true, cause: "retry", error: { nodeKey: "call" } });
    expect(told.error.message).not.toBe("");
    expect(told.reason).toContain(`After an error at call (${told.error.name}: `);
    expect(told.reason).toMatch(/attempt \d+ begins at /);
    await service.send("POST", `/api/runs/${runId}/cancel`, { key: service.key });
  });

  it("executes, but only to try one of its nodes again later", async () => {
    const retry = { retry: { maxAttempts: 3, backoffSeconds: 250 } };
    await service.flow(
      "flow_again",
      chain(node("call", "http-request", { url: "http://127.0.0.1:1/" }, retry)),
    );
    const runId = await service.begin("flow_again");
    const told = await until("the node has failed once", async () => {
      const { body } = await service.get(`/api/runs/${runId}/why`, service.key);
      return body.data.cause === "retry" && (await why(runId));
    });
    expect(told).toMatchObject({ waiting: true, error: { nodeKey: "call" } });
    expect(Date.parse(told.until) - Date.parse(told.since)).toBe(250_000);
    expect(told.reason).toContain("attempt 2 begins");
    await service.send("POST", `/api/runs/${runId}/cancel`, { key: service.key });
  });

  it("waits for credits, where its sub-flow could not be paid", async () => {
    const { pool } = service.database;
    await addOrganization(pool, "org_poor");
    await addUser(pool, "paul", { org_poor: "owner" });
    const { key } = await addKey(pool, { organizationId: "org_poor", userId: "paul" });
    await addFlow(pool, "org_poor", "flow_poor", {
      graph: chain(node("sub", "run-flow", { flowId: "flow_paid" })),
    });
    await addFlow(pool, "org_poor", "flow_paid");
    await pool.query(`UPDATE organizations SET credits_limited = true WHERE id = 'org_poor'`);
    await pool.query(
      `INSERT INTO credit_entries (organization_id, id, kind, amount) VALUES ('org_poor', 'opening', 'opening', 2)`,
    );
    const runId = await service.begin("flow_poor", { maxAttempts: 100 }, key);
    await restLong(runId);
    const told = await why(runId, { key });
    expect(told).toMatchObject({
      cause: "credits",
      needs: { kind: "credits" },
      error: { name: "InsufficientCredits", nodeKey: "sub" },
    });
    expect(actionsOf(told)).toEqual(["grant_credits", "cancel"]);
  });
});

describe("a paused run", () => {
  it("waits for an answer: the question, who may give it, and the link that gives it", async () => {
    const runId = await service.begin("flow_asks");
    await service.untilStatus(runId, "PAUSED");
    const told = await why(runId);
    expect(told).toMatchObject({
      waiting: true,
      cause: "approval",
      needs: { kind: "approval", nodeKey: "ask", message: "Really?", role: "member" },
    });
    expect(told.reason).toContain("members of the organization may give it");
    expect(actionsOf(told)).toEqual(["approve", "cancel"]);
    const looked = await why(runId, { key: viewerKey });
    expect(looked.needs.link).toBeUndefined();
    expect(actionsOf(looked)).toEqual([]);
    await service.database.pool.query(`UPDATE organizations SET values_hidden = true WHERE id = 'org_run'`);
    await until("the key knows that values are hidden", async () => {
      const { body } = await service.get(`/api/runs/${runId}/why`, viewerKey);
      return !JSON.stringify(body).includes("Really?") && body.data.needs.nodeKey === "ask";
    });
    expect((await why(runId)).needs.message).toBe("Really?");
    await service.database.pool.query(`UPDATE organizations SET values_hidden = false WHERE id = 'org_run'`);

    const answer = await fetch(told.needs.link, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: `{"decision":"approved"}`,
    });
    expect(answer.status).toBe(200);
    await service.untilEnd(runId);
  });

  it("names who may answer, where the approval does", async () => {
    await service.flow("flow_named", chain(node("ask", "approval", { message: "Ok?", assignees: ["uma"] })));
    const runId = await service.begin("flow_named");
    await service.untilStatus(runId, "PAUSED");
    const told = await why(runId);
    expect(told).toMatchObject({ cause: "approval", needs: { assignees: ["uma"] } });
    expect(told.reason).toContain("by uma, an admin or owner");
    // Who may not answer does not get the link that would do it, from get run neither.
    await addUser(service.database.pool, "mia", { org_run: "member" });
    const { key: other } = await addKey(service.database.pool, { organizationId: "org_run", userId: "mia" });
    for (const [key, isTold] of [
      [userKey, true],
      [other, false],
    ] as const) {
      const asked = await why(runId, { key });
      expect("link" in asked.needs).toBe(isTold);
      expect(actionsOf(asked).includes("approve")).toBe(isTold);
      const { body } = await service.get(`/api/runs/${runId}`, key);
      expect("resumeUrl" in body.data.pause).toBe(isTold);
    }
    await service.send("POST", `/api/runs/${runId}/cancel?paused=true`, { key: service.key });
  });

  it("waits for a time, and one of several is told with how many others there are", async () => {
    await service.flow(
      "flow_waits",
      fan(node("long", "wait", { duration: "1h" }), node("longer", "wait", { duration: "2h" })),
    );
    const runId = await service.begin("flow_waits");
    await service.untilStatus(runId, "PAUSED");
    const told = await why(runId);
    expect(told).toMatchObject({ waiting: true, cause: "timer" });
    expect(told.reason).toMatch(/^The node long(er)? waits until .* \(1 more nodes wait too\)\.$/);
    const cancel = told.actions.find(({ action }: { action: string }) => action === "cancel");
    expect((await service.send(cancel.method, cancel.path, { key: service.key })).status).toBe(200);
  });

  it("waits for the run of a sub-flow, which can be asked in turn", async () => {
    await service.flow("flow_parent", chain(node("call", "run-flow", { flowId: "flow_asks" })));
    const runId = await service.begin("flow_parent");
    const child = await until("the child is paused", async () => {
      const { body } = await service.get(`/api/runs/${runId}/why`, service.key);
      return (
        body.data.heldBy?.[0]?.status === "PAUSED" &&
        body.data.cause === "subflow" &&
        body.data.heldBy[0].runId
      );
    });
    const told = await why(runId);
    expect(told).toMatchObject({ cause: "subflow", heldBy: [{ runId: child, flowId: "flow_asks" }] });
    expect(told.reason).toContain(`waits for the run ${child} of the flow flow_asks, which is PAUSED`);
    expect(told.actions[0]).toMatchObject({ action: "why", path: `/api/runs/${child}/why` });
    expect(await why(child)).toMatchObject({ cause: "approval" });
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
