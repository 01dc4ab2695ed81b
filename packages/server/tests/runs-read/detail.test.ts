import { runAnswer, runNodesAnswer } from "@millrace/contract/runs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addCheckpoint, addRun, nodeRecord } from "../support/runs.ts";
import { links, type ReadService, startReadService } from "./read-service.ts";

let service: ReadService;
beforeAll(async () => {
  service = await startReadService();
});
afterAll(() => service.stop());

async function addWait(runId: string, nodeId: string, kind: string, message?: string, dueAt?: Date) {
  await service.pool.query(
    `INSERT INTO run_waits (organization_id, run_id, node_key, node_id, kind, message, due_at, created_at)
     VALUES ('org_one', $1, $2, $2, $3, $4, $5, clock_timestamp())`,
    [runId, nodeId, kind, message, dueAt],
  );
}

describe("one run", () => {
  it("echoes its data and, when completed, shows output and duration", async () => {
    const id = await addRun(service.pool, {
      status: "COMPLETED",
      durationMs: 2_345,
      data: { customer: { id: 7 } },
      output: { text: "Hello" },
    });
    const { status, body } = await service.get(`/api/runs/${id}`);
    expect(status).toBe(200);
    expect(runAnswer.parse(body).data).toMatchObject({
      id,
      version: "20260101.1",
      payload: { organizationId: "org_one", flowId: "flow_one", data: { customer: { id: 7 } } },
      output: { text: "Hello" },
      duration: 2.345,
    });
  });

  it("that returned nothing has an empty output", async () => {
    const { body } = await service.get(`/api/runs/${await addRun(service.pool, { status: "COMPLETED" })}`);
    expect(body.data.output).toEqual({});
    expect(body.data.payload).not.toHaveProperty("data");
  });

  it.each(["FAILED", "CRASHED", "TIMED_OUT"] as const)("that %s tells why", async (status) => {
    const error = { name: "NodeError", message: "No such customer", nodeId: "fetch" };
    const { body } = await service.get(`/api/runs/${await addRun(service.pool, { status, error })}`);
    expect(runAnswer.parse(body).data.error).toEqual(error);
    expect(body.data).not.toHaveProperty("output");
    expect(body.data).not.toHaveProperty("duration");
  });

  it.each(["WAITING", "EXECUTING", "CANCELED"] as const)(
    "that is %s shows neither output nor error",
    async (status) => {
      const output = { half: "done" };
      const { body } = await service.get(`/api/runs/${await addRun(service.pool, { status, output })}`);
      const { data } = runAnswer.parse(body);
      expect([data.output, data.duration, data.error, data.pause]).toEqual([
        undefined,
        undefined,
        undefined,
        undefined,
      ]);
    },
  );

  it("that is paused for an approval carries the question and the link, before any other wait", async () => {
    const id = await addRun(service.pool, { status: "PAUSED" });
    await addWait(id, "later", "wait", undefined, new Date("2030-01-01T00:00:00Z"));
    expect((await service.get(`/api/runs/${id}`)).body.data.pause).toEqual({
      nodeKey: "later",
      nodeId: "later",
      kind: "wait",
      until: "2030-01-01T00:00:00.000Z",
    });
    await addWait(id, "boss", "approval", "Pay it?");
    const { body } = await service.get(`/api/runs/${id}`);
    expect(runAnswer.parse(body).data.pause).toEqual({
      nodeKey: "boss",
      nodeId: "boss",
      kind: "approval",
      message: "Pay it?",
      resumeUrl: links.make("org_one", id, "boss"),
    });
  });

  it("gives the approval's link to nobody who may only look", async () => {
    const id = await addRun(service.pool, { status: "PAUSED" });
    await addWait(id, "boss", "approval", "Pay it?");
    const { body } = await service.get(`/api/runs/${id}`, service.keys.viewer);
    expect(body.data.pause).toEqual({
      nodeKey: "boss",
      nodeId: "boss",
      kind: "approval",
      message: "Pay it?",
    });
  });

  it("of another organization looks exactly like one that does not exist", async () => {
    const id = await addRun(service.pool, { organizationId: "org_two", flowId: "flow_two" });
    for (const path of ["", "/nodes"]) {
      const foreign = await service.get(`/api/runs/${id}${path}`);
      const missing = await service.get(`/api/runs/run_${"z".repeat(24)}${path}`);
      expect(foreign.status).toBe(404);
      expect(foreign.body).toEqual(missing.body);
      expect(foreign.body.error).toBe("Run not found");
    }
    expect((await service.get(`/api/runs/${id}`, service.keys.user)).status).toBe(200);
  });

  it.each(["abc", "RUN_abc", "%27%3B--"])("cannot be asked for by %s", async (id) => {
    const { status, body } = await service.get(`/api/runs/${id}`);
    expect([status, body.error]).toEqual([400, "Invalid run ID"]);
    expect((await service.get(`/api/runs/${id}/nodes`)).status).toBe(400);
  });
});

describe("the nodes of a run", () => {
  it("come from checkpoints and result together, by time, each once", async () => {
    const nodes = [
      nodeRecord("start", 1_000),
      nodeRecord("fetch[1]", 3_000, {
        status: "FAILED",
        output: undefined,
        handle: undefined,
        error: { name: "HttpError", message: "502" },
        log: ["tried twice"],
        attempts: 2,
      }),
    ];
    const id = await addRun(service.pool, { status: "FAILED", nodes });
    await addCheckpoint(service.pool, "org_one", id, nodeRecord("fetch[0]", 2_000));
    await addCheckpoint(service.pool, "org_one", id, nodeRecord("start", 1_000));
    const { body } = await service.get(`/api/runs/${id}/nodes`);
    const { data } = runNodesAnswer.parse(body);
    expect(data.map((node) => node.nodeKey)).toEqual(["start", "fetch[0]", "fetch[1]"]);
    expect(data[2]).toEqual({
      nodeKey: "fetch[1]",
      nodeId: "fetch",
      type: "set",
      status: "FAILED",
      startedAt: "1970-01-01T00:00:03.000Z",
      completedAt: "1970-01-01T00:00:03.005Z",
      attempts: 2,
      input: { values: {} },
      error: { name: "HttpError", message: "502" },
      log: ["tried twice"],
    });
  });

  it("are an empty list before anything has ended", async () => {
    const { body } = await service.get(`/api/runs/${await addRun(service.pool)}/nodes`);
    expect(body).toEqual({ success: true, data: [], total: 0 });
  });
});
