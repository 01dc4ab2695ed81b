import { runCreatedAnswer, runQueuedAnswer } from "@millrace/contract/trigger";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chain, hello, node } from "../support/runs-flows.ts";
import { type Gate, startGate } from "../support/runs-gate.ts";
import { type RunTestService, startRunService } from "../support/runs-service.ts";
import { until } from "../support/runs-until.ts";
import { addFlow, addKey, addOrganization, addUser } from "../support/workspace.ts";

let service: RunTestService;
let gate: Gate;
beforeAll(async () => {
  service = await startRunService();
  gate = await startGate();
  await service.flow("flow_hello", hello);
});
afterAll(async () => {
  await gate.close();
  await service.stop();
});

const countRuns = async (organizationId = "org_run") =>
  (await service.database.pool.query(`SELECT id FROM runs WHERE organization_id = $1`, [organizationId]))
    .rowCount;

describe("a trigger", () => {
  it("is answered 201 with the run, which then completes with what the flow returned", async () => {
    const answer = await service.trigger("flow_hello", {
      payload: { trigger: { body: { name: "Ada" } }, data: { order: 7 } },
    });
    expect(answer.status).toBe(201);
    const { data } = runCreatedAnswer.parse(answer.body);
    expect(data).toEqual({
      id: expect.stringMatching(/^run_/),
      status: "WAITING",
      taskIdentifier: "execute-flow",
      payload: { organizationId: "org_run", flowId: "flow_hello" },
      createdAt: expect.any(String),
    });
    expect(answer.headers.get("idempotent-replayed")).toBeNull();
    const run = await service.untilEnd(data.id);
    expect(run.status).toBe("COMPLETED");
    expect(run.output).toEqual({ text: "Hello Ada", data: { order: 7 } });
    expect(run.payload.data).toEqual({ order: 7 });
    expect(run.createdAt).toBe(data.createdAt);
  });

  it("keeps tags once each, isTest, triggerSource and the flow's version", async () => {
    const id = await service.begin("flow_hello", {
      tags: ["b", 'a "\\,{}', "b"],
      isTest: true,
      payload: { triggerSource: "manual" },
    });
    const run = await service.untilEnd(id);
    expect(run).toMatchObject({ tags: ["b", 'a "\\,{}'], version: "20260101.1" });
    expect(await service.row(id)).toMatchObject({ is_test: true, trigger_source: "manual" });
    const { body } = await service.get("/api/runs?filter[isTest]=true", service.key);
    expect(body.data.data.map((one: { id: string }) => one.id)).toContain(id);
  });

  it("ignores keys it does not know", async () => {
    const answer = await service.trigger("flow_hello", { colour: "red", payload: { shape: "round" } });
    expect(answer.status).toBe(201);
  });

  it("overrides inputs of nodes", async () => {
    const id = await service.begin("flow_hello", {
      payload: { inputs: { greet_values: { text: "overridden" } } },
    });
    expect((await service.untilEnd(id)).output.text).toBe("overridden");
  });

  it("is allowed for a passive flow", async () => {
    await service.flow("flow_passive", hello, { active: false });
    expect((await service.trigger("flow_passive")).status).toBe(201);
  });

  it("clamps maxDuration to a day and takes an hour where none is given", async () => {
    const long = await service.begin("flow_hello", { maxDuration: 1e9 });
    const usual = await service.begin("flow_hello");
    expect((await service.row(long))["max_duration_ms"]).toBe(86_400_000);
    expect((await service.row(usual))["max_duration_ms"]).toBe(3_600_000);
  });
});

describe("a trigger that cannot be", () => {
  it("is 404 for a flow that does not exist", async () => {
    const { status, body } = await service.trigger("flow_none");
    expect(status).toBe(404);
    expect(body).toMatchObject({
      success: false,
      error: "Flow not found",
      code: "flow_not_found",
      messageParams: { flowId: "flow_none", organizationId: "org_run" },
    });
  });

  it("is 404 for another organization's id with an organization key", async () => {
    await addOrganization(service.database.pool, "org_else");
    await addFlow(service.database.pool, "org_else", "flow_else", { graph: hello });
    for (const organizationId of ["org_else", "org_nobody"]) {
      expect((await service.trigger("flow_else", { payload: { organizationId } })).status).toBe(404);
    }
    expect((await service.trigger("flow_else")).status).toBe(404);
    expect(await countRuns("org_else")).toBe(0);
  });

  it("needs organizationId with a user key, and a membership", async () => {
    const { pool } = service.database;
    await addUser(pool, "uma", { org_run: "member" });
    const { key } = await addKey(pool, { scope: "user", userId: "uma" });
    const without = await service.trigger("flow_hello", {}, key);
    expect(without.status).toBe(400);
    expect(without.body.issues).toEqual([
      { path: ["payload", "organizationId"], message: "is required with a user-scoped key" },
    ]);
    const own = await service.trigger("flow_hello", { payload: { organizationId: "org_run" } }, key);
    expect(own.status).toBe(201);
    const foreign = await service.trigger("flow_else", { payload: { organizationId: "org_else" } }, key);
    expect(foreign.status).toBe(404);
  });

  it("is 403 for a viewer", async () => {
    const { pool } = service.database;
    await addUser(pool, "vic", { org_run: "viewer" });
    const { key } = await addKey(pool, { organizationId: "org_run", userId: "vic" });
    const { status, body } = await service.trigger("flow_hello", {}, key);
    expect([status, body.error]).toEqual([403, "Access denied"]);
  });

  it("is 400 with the texts of the validation for a flow that cannot run", async () => {
    await service.flow("flow_draft", {
      nodes: [
        { id: "start", type: "start", data: {} },
        { id: "odd", type: "no-such-type", data: {} },
        { id: "lonely", type: "set", data: { inputs: { values: {} } } },
      ],
      edges: [{ id: "e1", source: "start", target: "odd" }],
    });
    const before = await countRuns();
    const { status, body } = await service.trigger("flow_draft");
    expect(status).toBe(400);
    expect(body).toMatchObject({ success: false, error: "Flow validation failed" });
    expect(body.validationErrors.join()).toContain("odd");
    expect(body.validationWarnings.join()).toContain("lonely");
    expect(await countRuns()).toBe(before);
  });

  it("is 400 with the errors of the draft for a flow that was never published", async () => {
    const { pool } = service.database;
    const draft = async (id: string, type: string) => {
      const nodes = [
        { id: "start", type: "start" },
        { id: "end", type },
      ];
      const graph = JSON.stringify({ nodes, edges: [{ source: "start", target: "end" }] });
      await pool.query(`INSERT INTO flows (organization_id, id, name) VALUES ('org_run', $1, 'Draft')`, [id]);
      await pool.query(
        `INSERT INTO flow_drafts (organization_id, flow_id, graph) VALUES ('org_run', $1, $2)`,
        [id, graph],
      );
      const { status, body } = await service.trigger(id);
      expect(status).toBe(400);
      return body.validationErrors.join();
    };
    expect(await draft("flow_broken_draft", "retrun")).toContain('the type "retrun" does not exist');
    expect(await draft("flow_ready_draft", "return")).toContain("no published version");
    const parent = chain(node("child", "run-flow", { flowId: "flow_broken_draft" }));
    await service.flow("flow_parent_of_draft", parent);
    const run = await service.untilEnd(await service.begin("flow_parent_of_draft"));
    expect(run.error).toMatchObject({ name: "FlowInvalid", message: expect.stringContaining("retrun") });
  });

  it("names every override that does not fit", async () => {
    await service.flow(
      "flow_inputs",
      chain(node("fetch", "http-request", { url: gate.url, method: "GET" }), node("calm", "wait")),
    );
    const { status, body } = await service.trigger("flow_inputs", {
      payload: { inputs: { fetch_method: "FLY", fetch_url: 7 } },
    });
    expect(status).toBe(400);
    expect(body.error).toBe("Invalid request body");
    expect(body.issues.map(({ path }: { path: string[] }) => path)).toEqual(
      expect.arrayContaining([
        ["payload", "inputs", "fetch_method"],
        ["payload", "inputs", "fetch_url"],
      ]),
    );
  });

  it("tells all faults of its body at once", async () => {
    const { status, body } = await service.trigger("flow hello!", {
      payload: { data: [], triggerSource: "magic" },
      tags: [""],
      delay: "soon",
      maxAttempts: 0,
      maxDuration: -1,
      isTest: "yes",
      idempotencyKey: "",
    });
    expect(status).toBe(400);
    expect(body.issues.map(({ path }: { path: string[] }) => path.join(".")).toSorted()).toEqual(
      [
        "delay",
        "idempotencyKey",
        "isTest",
        "maxAttempts",
        "maxDuration",
        "payload.data",
        "payload.flowId",
        "payload.triggerSource",
        "tags.0",
      ].toSorted(),
    );
  });
});

describe("at the organization's limit", () => {
  it("a trigger is answered 202, and the run begins when a slot is free", async () => {
    const busy = await startRunService({ concurrency: 1 });
    const hold = await startGate();
    try {
      await busy.flow("flow_hold", chain(hold.node("hold")));
      const first = await busy.begin("flow_hold");
      const answer = await busy.trigger("flow_hold");
      expect(answer.status).toBe(202);
      const { data } = runQueuedAnswer.parse(answer.body);
      const suffix = data.queueId.replace("queue_", "");
      expect(data).toEqual({
        status: "queued",
        queueId: expect.stringMatching(/^queue_/),
        runHistoryId: `rh_${suffix}`,
      });
      await hold.untilArrived(1);
      hold.letGo();
      await busy.untilEnd(first);
      await hold.untilArrived(2);
      expect((await busy.row(`run_${suffix}`))["status"]).toBe("EXECUTING");
      hold.letGo();
      expect((await busy.untilEnd(`run_${suffix}`)).status).toBe("COMPLETED");
    } finally {
      await hold.close();
      await busy.stop();
    }
  });

  it("a full queue is 429 and stores nothing, not even the idempotency key", async () => {
    const busy = await startRunService({ concurrency: 1, queue: 2 });
    const hold = await startGate();
    try {
      await busy.flow("flow_hold", chain(hold.node("hold")));
      const statuses = [];
      for (let at = 0; at < 3; at++) statuses.push((await busy.trigger("flow_hold")).status);
      expect(statuses).toEqual([201, 202, 202]);
      const refused = await busy.trigger("flow_hold", { idempotencyKey: "later" });
      expect(refused.status).toBe(429);
      expect(refused.body).toEqual({ error: "Queue limit reached" });
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
      const { rows } = await busy.database.pool.query(
        `SELECT (SELECT count(*) FROM runs) AS runs, (SELECT count(*) FROM idempotency_keys) AS keys`,
      );
      expect(rows[0]).toEqual({ runs: 3, keys: 0 });
      hold.open();
      await until("the queue is empty", async () => {
        const left = await busy.database.pool.query(`SELECT FROM runs WHERE status = 'WAITING'`);
        return left.rowCount === 0;
      });
      const later = await busy.begin("flow_hold", { idempotencyKey: "later", delay: "1d" });
      expect((await busy.row(later))["stage"]).toBe("delayed");
    } finally {
      await hold.close();
      await busy.stop();
    }
  });
});
