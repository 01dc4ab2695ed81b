import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startChildService } from "../support/child-service.ts";
import { createTestDatabase } from "../support/database.ts";
import { addRun } from "../support/runs.ts";
import { chain, node, type TestGraph } from "../support/runs-flows.ts";
import { type Gate, startGate } from "../support/runs-gate.ts";
import { asRunService, type RunTestService, startRunService } from "../support/runs-service.ts";
import { until } from "../support/runs-until.ts";
import { startTestService } from "../support/service.ts";
import { addFlow, addKey, addOrganization, addUser } from "../support/workspace.ts";

const failing = chain(node("no", "fail", { message: "No." }));
const telling = chain(node("done", "return", { value: "{{ trigger.body }}" }));

let service: RunTestService;
let gate: Gate;
beforeAll(async () => {
  service = await startRunService({ concurrency: 20 });
  gate = await startGate();
  await add("flow_tell", telling);
});
afterAll(async () => {
  await gate.close();
  await service.stop();
});

const add = (id: string, graph: TestGraph, onFailure?: string, organizationId = "org_run") =>
  addFlow(service.database.pool, organizationId, id, {
    graph,
    settings: onFailure ? { onFailure } : undefined,
  });
const rows = async (text: string, ...values: unknown[]) =>
  (await service.database.pool.query(text, values)).rows;
const runsOf = (flowId: string) => rows(`SELECT * FROM runs WHERE flow_id = $1 ORDER BY id`, flowId);
const untilNoNotes = () =>
  until("no note is left", async () => (await rows(`SELECT FROM run_failures`)).length === 0);

describe("a run that ends badly starts the flow that its own names", () => {
  const told = async (runId: string) => {
    const found = await until("the other flow has run", async () => {
      const [row] = await rows(
        `SELECT p.run_id FROM run_payloads p WHERE p.trigger->'body'->>'runId' = $1`,
        runId,
      );
      return row as { run_id: string } | undefined;
    });
    return service.untilEnd(found!.run_id);
  };

  it("where it fails, with the run, its flow and the error as trigger.body", async () => {
    await add("flow_fails", failing, "flow_tell");
    const runId = await service.begin("flow_fails", { isTest: true });
    const run = await told(runId);
    expect(run).toMatchObject({
      status: "COMPLETED",
      payload: { flowId: "flow_tell", triggerSource: "subflow" },
      output: { runId, flowId: "flow_fails", error: { name: "FlowFailed", message: "No.", nodeId: "no" } },
    });
    expect((await runsOf("flow_tell")).at(-1)).toMatchObject({ is_test: true, depth: 1 });
    await untilNoNotes();
  });

  it("where its time is over", async () => {
    await add("flow_late", chain(gate.node("hold")), "flow_tell");
    const runId = await service.begin("flow_late", { maxDuration: 0.2 });
    expect((await told(runId)).output).toMatchObject({ runId, error: { name: "TimedOut" } });
  });

  it("where its worker was lost for good", async () => {
    const version = "20260101.1";
    await add("flow_crash", failing, "flow_tell");
    const runId = await addRun(service.database.pool, {
      organizationId: "org_run",
      flowId: "flow_crash",
      version,
      status: "EXECUTING",
      recoveries: 2,
    });
    expect((await told(runId)).output).toMatchObject({ runId, flowId: "flow_crash" });
    expect((await service.row(runId))["status"]).toBe("CRASHED");
  }, 60_000);

  it("after its last attempt alone", async () => {
    await add("flow_again", chain(node("no", "code", { source: "throw new Error('x')" })), "flow_tell");
    const runId = await service.begin("flow_again", { maxAttempts: 2 });
    await told(runId);
    await untilNoNotes();
    const runs = await rows(`SELECT FROM run_payloads WHERE trigger->'body'->>'runId' = $1`, runId);
    expect([runs.length, (await service.row(runId))["attempt"]]).toEqual([1, 2]);
  }, 30_000);
});

it("a run that completes or is canceled starts nothing", async () => {
  await add("flow_good", chain(node("x", "set", { values: {} })), "flow_never");
  await add("flow_held", chain(gate.node("held")), "flow_never");
  await add("flow_never", telling);
  await service.untilEnd(await service.begin("flow_good"));
  const held = await service.begin("flow_held");
  await service.send("POST", `/api/runs/${held}/cancel`, { key: service.key });
  // One that is noted later is taken care of later.
  await add("flow_after", failing, "flow_tell");
  await service.untilEnd(await service.begin("flow_after"));
  await untilNoNotes();
  expect(await runsOf("flow_never")).toEqual([]);
});

it("two flows that name each other stop after one step, and a flow is never started for itself", async () => {
  await add("flow_ping", failing, "flow_pong");
  await add("flow_pong", failing, "flow_ping");
  await add("flow_self", failing, "flow_self");
  const ended = async (flowId: string, count: number) =>
    until(`${count} runs of ${flowId} have ended`, async () => {
      const runs = await runsOf(flowId);
      return runs.length === count && runs.every(({ status }) => status === "FAILED");
    });
  await service.begin("flow_ping");
  await ended("flow_ping", 1);
  await ended("flow_pong", 1);
  await service.begin("flow_self");
  await ended("flow_self", 1);
  await untilNoNotes();
  expect([(await runsOf("flow_ping")).length, (await runsOf("flow_pong")).length]).toEqual([1, 1]);
  expect(await runsOf("flow_self")).toHaveLength(1);
});

it("a flow that is started for a failure and calls the failing one comes to an end", async () => {
  await add("flow_root", failing, "flow_calls");
  await add("flow_calls", chain(node("call", "run-flow", { flowId: "flow_root" })));
  await service.begin("flow_root");
  await until("the chain has ended", async () => {
    if ((await runsOf("flow_calls")).length < 4) return false;
    // Asked for after that: between two of them nothing runs.
    const running = await rows(
      `SELECT FROM runs WHERE flow_id IN ('flow_root', 'flow_calls') AND completed_at IS NULL`,
    );
    return running.length === 0;
  });
  await untilNoNotes();
  expect(await runsOf("flow_calls")).toHaveLength(4);
  expect(await runsOf("flow_root")).toHaveLength(5);
}, 60_000);

it("a flow that cannot run, or is not there, is left out and holds up no other", async () => {
  await add("flow_typed", telling);
  await rows(
    `UPDATE flow_versions SET settings = '{"input": {"type": "string"}}' WHERE flow_id = 'flow_typed'`,
  );
  await add("flow_to_typed", failing, "flow_typed");
  await add("flow_gone", telling);
  await add("flow_to_gone", failing, "flow_gone");
  const before = (await runsOf("flow_tell")).length;
  for (const flowId of ["flow_to_typed", "flow_to_gone"]) {
    const runId = await service.begin(flowId);
    if (flowId === "flow_to_gone") await rows(`UPDATE flows SET deleted_at = now() WHERE id = 'flow_gone'`);
    await service.untilEnd(runId);
  }
  await service.begin("flow_fails");
  await until("the others are told", async () => (await runsOf("flow_tell")).length === before + 1);
  await untilNoNotes();
  expect(await runsOf("flow_typed")).toEqual([]);
});

it("a flow with an onFailure that does not exist cannot run", async () => {
  await add("flow_broken", failing, "flow_nowhere");
  const { status, body } = await service.trigger("flow_broken");
  expect([status, body.validationErrors]).toEqual([
    400,
    [expect.stringContaining('"flow_nowhere", which does not exist')],
  ]);
});

it("costs credits as any run does, and waits for them", async () => {
  const { pool } = service.database;
  await addOrganization(pool, "org_poor");
  await addUser(pool, "paul", { org_poor: "owner" });
  const { key } = await addKey(pool, { organizationId: "org_poor", userId: "paul" });
  await rows(`UPDATE organizations SET credits_limited = true WHERE id = 'org_poor'`);
  const grant = (id: string, amount: number) =>
    rows(
      `INSERT INTO credit_entries (organization_id, id, kind, amount) VALUES ('org_poor', $1, 'grant', $2)`,
      id,
      amount,
    );
  await add("flow_poor_tell", telling, undefined, "org_poor");
  await add("flow_poor", failing, "flow_poor_tell", "org_poor");
  await grant("one", 2);
  const poor = asRunService(service, key);
  await poor.untilEnd(await poor.begin("flow_poor"));
  await until("it was put off", async () => {
    const [note] = await rows(`SELECT next_at > noted_at AS later FROM run_failures`);
    return (note as { later: boolean } | undefined)?.later === true;
  });
  expect(await runsOf("flow_poor_tell")).toEqual([]);
  await grant("two", 10);
  await rows(`UPDATE run_failures SET next_at = now()`);
  await untilNoNotes();
  expect(await runsOf("flow_poor_tell")).toHaveLength(1);
});

it("with workers that are killed each failed run starts exactly one", async () => {
  const database = await createTestDatabase();
  const api = await startRunService({ concurrency: 20 }, () =>
    startTestService({}, { role: "api", database }),
  );
  let worker = await startChildService("worker", database.connection);
  try {
    const db = database.pool;
    await addFlow(db, "org_run", "flow_told", { graph: telling });
    await addFlow(db, "org_run", "flow_often", { graph: failing, settings: { onFailure: "flow_told" } });
    const told = async () =>
      (
        await db.query(
          `SELECT p.trigger->'body'->>'runId' AS id FROM runs r JOIN run_payloads p ON p.organization_id = r.organization_id AND p.run_id = r.id
            WHERE r.flow_id = 'flow_told' ORDER BY 1`,
        )
      ).rows.map(({ id }) => id as string);
    const ids: string[] = [];
    for (let round = 0; round < 3; round++) {
      for (let at = 0; at < 10; at++) ids.push(await api.begin("flow_often"));
      await until("some are told", async () => (await told()).length > round * 8);
      worker.signal("SIGKILL");
      await worker.exited;
      worker = await startChildService("worker", database.connection);
    }
    await until("all are told", async () => (await told()).length >= ids.length);
    await until(
      "no note is left",
      async () => (await db.query(`SELECT FROM run_failures`)).rows.length === 0,
    );
    expect(await told()).toEqual(ids.toSorted());
  } finally {
    await worker.end();
    await api.stop();
    await database.drop();
  }
}, 180_000);
