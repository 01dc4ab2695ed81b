import { queueItemCanceledAnswer } from "@millrace/contract/queue";
import { afterAll, beforeAll, expect, it } from "vitest";
import { withPrefix } from "../../src/domain/ids.ts";
import { addRun } from "../support/runs.ts";
import { chain, hello } from "../support/runs-flows.ts";
import { type Gate, startGate } from "../support/runs-gate.ts";
import { type RunTestService, startRunService } from "../support/runs-service.ts";
import { addKey, addOrganization, addUser } from "../support/workspace.ts";

let service: RunTestService;
let gate: Gate;
let holding: string;
beforeAll(async () => {
  service = await startRunService({ concurrency: 1 });
  gate = await startGate();
  await service.flow("flow_hello", hello);
  await service.flow("flow_hold", chain(gate.node("hold")));
  holding = await service.begin("flow_hold");
  await gate.untilArrived(1);
});
afterAll(async () => {
  await gate.close();
  await service.stop();
});

const remove = (queueId: string, key = service.key, organizationId = "org_run") =>
  service.send("DELETE", `/api/runs/queue/${queueId}?filter[organizationId]=${organizationId}`, { key });
const queue = async () => (await service.trigger("flow_hello")).body.data.queueId as string;

it("DELETE takes a waiting item out; its run is CANCELED and never starts", async () => {
  const queueId = await queue();
  const answer = await remove(queueId);
  expect(answer.status).toBe(200);
  expect(queueItemCanceledAnswer.parse(answer.body).data).toEqual({
    id: queueId,
    status: "canceled",
    runHistoryId: withPrefix(queueId, "rh"),
    canceledAt: expect.any(String),
  });
  const run = await service.get(`/api/runs/${withPrefix(queueId, "run")}`, service.key);
  expect(run.body.data).toMatchObject({ status: "CANCELED" });
  expect(run.body.data).not.toHaveProperty("startedAt");
  const path = `/api/runs/queue/${queueId}?filter[organizationId]=org_run`;
  expect((await service.get(path, service.key)).status).toBe(404);
  expect((await remove(queueId)).status).toBe(404);
});

it("DELETE of an item that no longer waits is 400", async () => {
  const { pool } = service.database;
  const states = [
    { status: "EXECUTING" },
    { status: "COMPLETED" },
    { status: "WAITING", stage: "admitted" },
  ] as const;
  for (const state of states) {
    const id = await addRun(pool, { organizationId: "org_run", answeredQueued: true, ...state });
    const answer = await remove(withPrefix(id, "queue"));
    expect([answer.status, answer.body.error]).toEqual([400, "Queue item is no longer waiting"]);
    await pool.query(`DELETE FROM runs WHERE id = $1`, [id]);
  }
});

it("DELETE of an unknown item, of another organization's, and of a run that never queued is 404", async () => {
  const { pool } = service.database;
  await addOrganization(pool, "org_far");
  await addUser(pool, "fay", { org_far: "owner" });
  const { key } = await addKey(pool, { organizationId: "org_far", userId: "fay" });
  const queueId = await queue();
  const answers = [
    await remove(`queue_${"z".repeat(24)}`),
    await remove(queueId, key),
    await remove(queueId, key, "org_far"),
    await remove(withPrefix(holding, "queue")),
    await remove("abc"),
  ];
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
  expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  expect((await service.row(withPrefix(queueId, "run")))["status"]).toBe("WAITING");
});

it("DELETE needs the organization, and a role that may change things", async () => {
  const queueId = await queue();
  const bare = await service.send("DELETE", `/api/runs/queue/${queueId}`, { key: service.key });
  expect(bare.status).toBe(400);
  const { pool } = service.database;
  await addUser(pool, "vee", { org_run: "viewer" });
  const { key } = await addKey(pool, { organizationId: "org_run", userId: "vee" });
  expect((await remove(queueId, key)).status).toBe(403);
});
