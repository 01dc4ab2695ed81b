import { queueAnswer, queueItemAnswer } from "@millrace/contract/queue";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withPrefix } from "../../src/domain/ids.ts";
import { addRun, moveRun, type TestRun } from "../support/runs.ts";
import { addKey, addOrganization, addUser } from "../support/workspace.ts";
import { type ReadService, startReadService } from "./read-service.ts";

let service: ReadService;
beforeAll(async () => {
  service = await startReadService();
});
afterAll(() => service.stop());

const queued = (run: TestRun = {}) => addRun(service.pool, { stage: "queued", answeredQueued: true, ...run });
const item = (runId: string, key?: string, organizationId = "org_one") =>
  service.get(`/api/runs/queue/${withPrefix(runId, "queue")}?filter[organizationId]=${organizationId}`, key);

describe("the queue of an organization", () => {
  it("lists what waits and what is being dispatched, oldest first, and nothing else", async () => {
    const first = await queued({ stage: "admitted" });
    const second = await queued();
    await addRun(service.pool, { stage: "delayed" });
    await addRun(service.pool, { stage: "queued" });
    await queued({ started: true, priority: 1 });
    await queued({ status: "CANCELED", started: false });
    await queued({ organizationId: "org_two", flowId: "flow_two" });
    const third = await queued();
    const { status, body } = await service.get("/api/runs/queue?filter[organizationId]=org_one");
    expect(status).toBe(200);
    expect(queueAnswer.parse(body).data.map(({ id, status }) => [id, status])).toEqual([
      [withPrefix(first, "queue"), "dispatching"],
      [withPrefix(second, "queue"), "waiting"],
      [withPrefix(third, "queue"), "waiting"],
    ]);
    expect(body.data[1]).toEqual({
      id: withPrefix(second, "queue"),
      status: "waiting",
      flowId: "flow_one",
      runHistoryId: withPrefix(second, "rh"),
      createdAt: expect.any(String),
    });
    expect(body).not.toHaveProperty("pagination");
  });

  it("can be read in pages", async () => {
    const all = await service.get("/api/runs/queue?filter[organizationId]=org_one");
    const base = "/api/runs/queue?filter[organizationId]=org_one&page[size]=2";
    const first = await service.get(base);
    const second = await service.get(`${base}&page[after]=${first.body.pagination.next}`);
    expect([...first.body.data, ...second.body.data]).toEqual(all.body.data);
    expect(second.body.pagination).not.toHaveProperty("next");
    const back = await service.get(`${base}&page[before]=${second.body.pagination.prev}`);
    expect(back.body.data).toEqual(first.body.data);
  });

  it("must be named, whatever the key", async () => {
    for (const path of ["/api/runs/queue", `/api/runs/queue/queue_${"a".repeat(24)}`]) {
      for (const key of [service.keys.one, service.keys.user]) {
        const { status, body } = await service.get(path, key);
        expect(status).toBe(400);
        expect(body.issues).toEqual([{ path: ["filter[organizationId]"], message: "is required" }]);
      }
    }
  });

  it("is closed to others: 403 for the list, 404 for an item", async () => {
    const runId = await queued();
    expect(
      (await service.get("/api/runs/queue?filter[organizationId]=org_one", service.keys.two)).status,
    ).toBe(403);
    const foreign = await item(runId, service.keys.two);
    const wrongOrganization = await item(runId, service.keys.user, "org_two");
    const missing = await item(`run_${"z".repeat(24)}`);
    expect([foreign.status, wrongOrganization.status, missing.status]).toEqual([404, 404, 404]);
    expect(foreign.body).toEqual(missing.body);
  });
});

describe("one queue item", () => {
  it("tells its place in the line behind those that have begun", async () => {
    await addOrganization(service.pool, "org_line");
    await addUser(service.pool, "liv", { org_line: "owner" });
    const mine = { organizationId: "org_line" };
    await queued({ ...mine, started: true, priority: 1 });
    const first = await queued(mine);
    const second = await queued(mine);
    await addRun(service.pool, { ...mine, status: "COMPLETED" });
    const { key } = await addKey(service.pool, { organizationId: "org_line", userId: "liv" });
    const { body } = await item(second, key, "org_line");
    expect(queueItemAnswer.parse(body).data).toEqual({
      id: withPrefix(second, "queue"),
      status: "waiting",
      flowId: "flow_one",
      runHistoryId: withPrefix(second, "rh"),
      organizationId: "org_line",
      position: 3,
      reason: "concurrency_limit",
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect((await item(first, key, "org_line")).body.data.position).toBe(2);
  });

  it("can be followed from waiting over dispatching to its run, whatever becomes of that", async () => {
    const runId = await queued();
    expect((await item(runId)).body.data.status).toBe("waiting");
    await service.pool.query(`UPDATE runs SET stage = 'admitted' WHERE id = $1`, [runId]);
    const dispatching = (await item(runId)).body.data;
    expect(dispatching.status).toBe("dispatching");
    expect(dispatching).not.toHaveProperty("position");
    expect(dispatching).not.toHaveProperty("runId");
    for (const status of ["EXECUTING", "CANCELED"] as const) {
      await moveRun(service.pool, runId, status);
      const { body } = await item(runId);
      expect(queueItemAnswer.parse(body).data).toMatchObject({ status: "dispatched", runId });
    }
  });

  it("is gone once canceled, and never was for a run that started at once", async () => {
    expect((await item(await queued({ status: "CANCELED", started: false }))).status).toBe(404);
    expect((await item(await addRun(service.pool))).status).toBe(404);
  });

  it.each(["abc", "queue_", "queue_abc", "run_000000000000000000000000", "queue_%00"])(
    "does not exist under %s",
    async (id) => {
      const { status } = await service.get(`/api/runs/queue/${id}?filter[organizationId]=org_one`);
      expect(status).toBe(404);
    },
  );
});
