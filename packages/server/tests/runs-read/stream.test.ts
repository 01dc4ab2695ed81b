import { errorBody, rateLimitBody } from "@millrace/contract/envelope";
import { terminalStatuses } from "@millrace/contract/run-status";
import { runStreamEvent } from "@millrace/contract/runs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addRun, moveRun } from "../support/runs.ts";
import { move, startStreamService, type StreamService } from "./stream-service.ts";

describe("the stream of a run", () => {
  let service: StreamService;
  beforeAll(async () => {
    service = await startStreamService();
  });
  afterAll(() => service.stop());

  it("tells where the run stands, every change, the end, and closes", async () => {
    const id = await addRun(service.pool);
    const events = await service.open(id);
    expect(events.status).toBe(200);
    expect(events.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(events.headers.get("cache-control")).toBe("no-cache, no-transform");
    expect(events.headers.get("x-accel-buffering")).toBe("no");
    expect(events.headers.get("x-request-id")).toBeTruthy();
    expect(await events.next()).toEqual({ type: "connected", runId: id });
    expect(await events.next()).toEqual({
      type: "update",
      data: {
        id,
        status: "WAITING",
        taskIdentifier: "execute-flow",
        payload: { organizationId: "org_one", flowId: "flow_one", triggerSource: "api" },
        updatedAt: expect.any(String),
      },
    });
    for (const status of ["EXECUTING", "PAUSED", "WAITING", "EXECUTING"] as const) {
      await move(service, id, status);
      expect(runStreamEvent.parse(await events.next())).toMatchObject({
        type: "update",
        data: { id, status },
      });
    }
    await move(service, id, "COMPLETED");
    expect(await events.rest()).toEqual([
      { type: "update", data: expect.objectContaining({ status: "COMPLETED" }) },
      { type: "completed", status: "COMPLETED" },
    ]);
    expect(events.text()).toMatch(/^(?:id: \w+\ndata: \{[^\n]*\}\n\n)+$/);
    const ids = [...events.text().matchAll(/^id: (.*)$/gm)].map(([, eventId]) => eventId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("does not begin again for a reader that has seen its end, but for every other one", async () => {
    const id = await addRun(service.pool, { status: "FAILED" });
    const whole = await service.open(id);
    await whole.rest();
    const ids = [...whole.text().matchAll(/^id: (.*)$/gm)].map(([, eventId]) => eventId!);
    expect(ids).toHaveLength(3);
    const again = await Promise.all(ids.map((eventId) => service.open(id, "", { "last-event-id": eventId })));
    expect(again.map(({ status }) => status)).toEqual([200, 200, 204]);
    expect(await again[2]!.rest()).toEqual([]);
    // Ids of a stream say nothing of a run that goes on.
    const other = await service.open(await addRun(service.pool), "", { "last-event-id": ids.at(-1)! });
    expect(await other.next()).toMatchObject({ type: "connected" });
    await other.close();
    const unknown = await service.open(`run_${"z".repeat(24)}`, "", { "last-event-id": ids.at(-1)! });
    expect(unknown.status).toBe(404);
  });

  it.each(terminalStatuses)("of a run that is %s already says so and closes", async (status) => {
    const id = await addRun(service.pool, { status });
    const messages = await (await service.open(id)).rest();
    expect(messages.map(({ type }) => type)).toEqual(["connected", "update", "completed"]);
    expect(messages[2]).toEqual({ type: "completed", status });
  });

  it("is silent where nothing has changed, however often somebody says so", async () => {
    const id = await addRun(service.pool);
    const events = await service.open(id);
    await events.next();
    await events.next();
    for (let at = 0; at < 5; at++) {
      service.watch.publish([{ organizationId: "org_one", id }]);
      await service.watch.poll();
    }
    await move(service, id, "CANCELED");
    expect((await events.rest()).map(({ type }) => type)).toEqual(["update", "completed"]);
  });

  it("finds by its poll what nobody has said", async () => {
    const id = await addRun(service.pool, { status: "EXECUTING" });
    const events = await service.open(id);
    await moveRun(service.pool, id, "FAILED");
    await service.watch.poll();
    expect((await events.rest()).at(-1)).toEqual({ type: "completed", status: "FAILED" });
  });

  it("hears of changes in other processes by a hint", async () => {
    const id = await addRun(service.pool, { status: "EXECUTING" });
    const events = await service.open(id);
    await moveRun(service.pool, id, "FAILED");
    service.watch.wake();
    expect((await events.rest()).at(-1)).toEqual({ type: "completed", status: "FAILED" });
  });

  it("leaves nothing behind when its reader goes", async () => {
    const id = await addRun(service.pool);
    const before = service.watch.listeners;
    const events = await service.open(id);
    await events.next();
    expect(service.watch.listeners).toBe(before + 1);
    await events.close();
    await expect.poll(() => service.watch.listeners).toBe(before);
  });

  it("does not start, but answers JSON, where there is nothing to stream", async () => {
    const foreign = await addRun(service.pool, { organizationId: "org_two", flowId: "flow_two" });
    for (const [path, status, error] of [
      [`run_${"z".repeat(24)}/stream`, 404, "Run not found"],
      [`${foreign}/stream`, 404, "Run not found"],
      ["abc/stream", 400, "Invalid run ID"],
      [`${foreign}/stream?include=everything`, 400, "Invalid query parameters"],
    ] as const) {
      const answer = await service.get(`/api/runs/${path}`);
      expect([answer.status, answer.body.error]).toEqual([status, error]);
      expect(errorBody.safeParse(answer.body).success).toBe(true);
    }
  });
});

describe("streams have limits", () => {
  let service: StreamService;
  beforeAll(async () => {
    service = await startStreamService({ max: 3 });
  });
  afterAll(() => service.stop());

  it("one more than the organization may have is a 429 with success false", async () => {
    const id = await addRun(service.pool);
    const open = [await service.open(id), await service.open(id)];
    const { status, body, headers } = await service.get(`/api/runs/${id}/stream`);
    expect([status, body]).toEqual([429, { success: false, error: "Too many requests" }]);
    expect(rateLimitBody.safeParse(body).success).toBe(true);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    await Promise.all(open.map((events) => events.close()));
    await expect.poll(() => service.watch.listeners).toBe(0);
  });

  it("a silent one gets comments, and after a long silence an error and the end", async () => {
    const impatient = await startStreamService({ pingAfterMs: 20, idleLimitMs: 1_500 });
    const events = await impatient.open(await addRun(impatient.pool));
    await events.until(": ping\n\n");
    expect((await events.rest()).at(-1)).toEqual({ type: "error", error: "Stream timed out" });
    await impatient.stop();
  });

  it("all are ended when the service stops, with the wish to come back, and no new one begins", async () => {
    const id = await addRun(service.pool);
    const events = await service.open(id);
    await events.next();
    service.streams.close();
    await events.rest();
    expect(events.text()).toMatch(/retry: 1000\n\n$/);
    expect((await service.get(`/api/runs/${id}/stream`)).status).toBe(503);
  });
});
