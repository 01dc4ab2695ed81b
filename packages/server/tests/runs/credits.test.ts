import { afterAll, beforeAll, expect, it } from "vitest";
import { chain, hello, node } from "../support/runs-flows.ts";
import { type Gate, startGate } from "../support/runs-gate.ts";
import { type RunTestService, startRunService } from "../support/runs-service.ts";

let service: RunTestService;
let gate: Gate;
beforeAll(async () => {
  service = await startRunService({ credits: 10, concurrency: 1 });
  gate = await startGate();
  await service.flow("flow_hello", hello);
  await service.flow("flow_hold", chain(gate.node("hold"), node("after", "set", { values: {} })));
});
afterAll(async () => {
  await gate.close();
  await service.stop();
});

const balance = async () =>
  (await service.database.pool.query(`SELECT coalesce(sum(amount), 0) AS sum FROM credit_entries`)).rows[0]
    .sum as string;
const entriesOf = async (runId: string) =>
  (
    await service.database.pool.query(
      `SELECT kind, amount FROM credit_entries WHERE run_id = $1 ORDER BY kind`,
      [runId],
    )
  ).rows;

it("a trigger reserves a credit for each node, and the end settles by the nodes that ran", async () => {
  const id = await service.begin("flow_hello");
  await service.untilEnd(id);
  expect(await entriesOf(id)).toEqual([
    { kind: "reserve", amount: -3 },
    { kind: "settle", amount: 0 },
  ]);
  expect(Number(await balance())).toBe(7);
});

it("a cancelled run gives back what it did not use, and a queue item everything", async () => {
  const holding = await service.begin("flow_hold");
  const queued = await service.trigger("flow_hold");
  expect(queued.status).toBe(202);
  expect(Number(await balance())).toBe(1);
  const path = `/api/runs/queue/${queued.body.data.queueId}?filter[organizationId]=org_run`;
  expect((await service.send("DELETE", path, { key: service.key })).status).toBe(200);
  expect(Number(await balance())).toBe(4);
  await gate.untilArrived(1);
  await service.send("POST", `/api/runs/${holding}/cancel`, { key: service.key });
  const [reserve, settle] = await entriesOf(holding);
  expect([reserve.amount, settle.kind]).toEqual([-3, "settle"]);
  expect(Number(settle.amount)).toBeGreaterThanOrEqual(2);
});

it("too few credits are 402, and store nothing", async () => {
  await service.database.pool.query(
    `INSERT INTO credit_entries (organization_id, id, kind, amount) SELECT 'org_run', 'taken', 'grant', 2 - sum(amount) FROM credit_entries`,
  );
  expect(Number(await balance())).toBe(2);
  const { status, body } = await service.trigger("flow_hello", { idempotencyKey: "poor" });
  expect(status).toBe(402);
  expect(body).toMatchObject({
    success: false,
    error: "Insufficient credits",
    code: "insufficient_credits",
  });
  expect(Number(await balance())).toBe(2);
  await service.database.pool.query(
    `INSERT INTO credit_entries (organization_id, id, kind, amount) VALUES ('org_run', 'given', 'grant', 10)`,
  );
  const retried = await service.trigger("flow_hello", { idempotencyKey: "poor" });
  expect([retried.status, retried.headers.get("idempotent-replayed")]).toEqual([201, null]);
  await service.untilEnd(retried.body.data.id);
});

it("racing triggers never spend more than there is", async () => {
  await service.database.pool.query(`UPDATE organizations SET concurrency_limit = 100`);
  await service.database.pool.query(
    `INSERT INTO credit_entries (organization_id, id, kind, amount) SELECT 'org_run', 'exact', 'grant', 15 - sum(amount) FROM credit_entries`,
  );
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => service.trigger("flow_hello", { delay: "1d" })),
  );
  const count = (status: number) => answers.filter((answer) => answer.status === status).length;
  expect([count(201), count(402)]).toEqual([5, 35]);
  expect(Number(await balance())).toBe(0);
});

it("a sub-flow that cannot be paid for is not started, and its node says why", async () => {
  await service.flow("flow_parent", chain(node("call", "run-flow", { flowId: "flow_hold" })));
  await service.database.pool.query(
    `INSERT INTO credit_entries (organization_id, id, kind, amount) SELECT 'org_run', 'left', 'grant', 4 - sum(amount) FROM credit_entries`,
  );
  const id = await service.begin("flow_parent");
  const { status, error } = await service.untilEnd(id);
  expect(status).toBe("FAILED");
  expect(error).toMatchObject({ name: "InsufficientCredits", nodeId: "call" });
  const { rows } = await service.database.pool.query(`SELECT FROM runs WHERE parent_run_id = $1`, [id]);
  expect(rows).toEqual([]);
  expect(Number(await balance())).toBeGreaterThanOrEqual(0);
});
