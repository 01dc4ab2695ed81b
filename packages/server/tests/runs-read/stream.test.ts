import { errorBody, rateLimitBody } from "@millrace/contract/envelope";
import { terminalStatuses } from "@millrace/contract/run-status";
import { runStreamEvent } from "@millrace/contract/runs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RunNodeRecord } from "../../src/domain/run-record.ts";
import { streamRunRoute } from "../../src/http/routes/stream-run.ts";
import { EventStreams } from "../../src/http/sse.ts";
import { LiveNodes } from "../../src/operations/runs/live-nodes.ts";
import { RunWatch } from "../../src/operations/runs/run-watch.ts";
import { readEvents } from "../support/event-reader.ts";
import { addCheckpoint, addRun, moveRun, nodeRecord } from "../support/runs.ts";
import { startReadService } from "./read-service.ts";

async function startStreamService(
  options: { max?: number; idleLimitMs?: number; pingAfterMs?: number } = {},
) {
  const streams = new EventStreams({ tickMs: 5, pingAfterMs: options.pingAfterMs });
  const live = new LiveNodes();
  let watch!: RunWatch;
  const service = await startReadService((pool) => {
    watch = new RunWatch({ db: pool, maxListeners: options.max ?? 50, live });
    return [streamRunRoute({ db: pool, watch }, streams, options.idleLimitMs)];
  });
  const open = (runId: string, query = "", headers = {}) =>
    readEvents(`${service.address}/api/runs/${runId}/stream${query}`, service.keys.one, headers);
  return { ...service, streams, watch, live, open };
}
type StreamService = Awaited<ReturnType<typeof startStreamService>>;

async function move(service: StreamService, id: string, status: Parameters<typeof moveRun>[2]) {
  await moveRun(service.pool, id, status);
  service.watch.publish([{ organizationId: "org_one", id }]);
}

// oxlint-disable-next-line typescript/no-explicit-any -- messages of every shape
const told = ({ type, data }: any): string => (type === "node" ? `${data.nodeKey} ${data.status}` : type);

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

  it("gives node events to those who ask, each once, all of them before the end", async () => {
    const id = await addRun(service.pool, { status: "EXECUTING" });
    const run = service.live.begin(id);
    const [asking, plain] = await Promise.all([service.open(id, "?include=nodes"), service.open(id)]);
    await asking.next();
    await asking.next();
    await service.watch.poll();
    const fetchNode = { nodeKey: "fetch", nodeId: "fetch", type: "http-request" };
    run.publish({ ...fetchNode, status: "EXECUTING", startedAt: 1_000.25 });
    const startedAt = "1970-01-01T00:00:01.000Z";
    expect(await asking.next()).toEqual({
      type: "node",
      data: { ...fetchNode, status: "EXECUTING", startedAt },
    });
    run.publish({ ...fetchNode, status: "COMPLETED", startedAt: 1_000.25, endedAt: 1_005 });
    expect(await asking.next()).toEqual({
      type: "node",
      data: { ...fetchNode, status: "COMPLETED", startedAt, completedAt: "1970-01-01T00:00:01.005Z" },
    });
    // What another process has done is read from its checkpoints, and at the end from the result.
    run.end();
    await addCheckpoint(service.pool, "org_one", id, nodeRecord("fetch", 1_000));
    await addCheckpoint(service.pool, "org_one", id, nodeRecord("save[0]", 2_000));
    service.watch.wake();
    for (const status of ["EXECUTING", "COMPLETED"])
      expect(await asking.next()).toMatchObject({ type: "node", data: { nodeKey: "save[0]", status } });
    await service.pool.query(
      `INSERT INTO run_results (organization_id, run_id, nodes) VALUES ('org_one', $1, $2)`,
      [id, JSON.stringify([nodeRecord("done", 3_000)])],
    );
    await move(service, id, "COMPLETED");
    const ending = await asking.rest();
    expect(ending.map(told)).toEqual(["done EXECUTING", "done COMPLETED", "update", "completed"]);
    expect(ending.every((message) => runStreamEvent.safeParse(message).success)).toBe(true);
    expect((await plain.rest()).some(({ type }) => type === "node")).toBe(false);
  });

  it("of a run that has ended shows its nodes to those who ask, in the order of what happened", async () => {
    const id = await addRun(service.pool, {
      status: "COMPLETED",
      nodes: [nodeRecord("z", 1, { endedAt: 1.5 }), nodeRecord("a", 1.75, { endedAt: 9 })],
    });
    await addCheckpoint(
      service.pool,
      "org_one",
      id,
      nodeRecord("loop", 0.5, { endedAt: 20, status: "FAILED" }),
    );
    await addCheckpoint(service.pool, "org_one", id, nodeRecord("m", 1.8, { endedAt: 5 }));
    const messages = await (await service.open(id, "?include=nodes")).rest();
    expect(messages.map(told)).toEqual([
      "connected",
      "update",
      "loop EXECUTING",
      "z EXECUTING",
      "z COMPLETED",
      "a EXECUTING",
      "m EXECUTING",
      "m COMPLETED",
      "a COMPLETED",
      "loop FAILED",
      "completed",
    ]);
  });

  it("tells who joins late all that has happened, what is under way and what is not stored yet", async () => {
    const id = await addRun(service.pool, { status: "EXECUTING" });
    const run = service.live.begin(id);
    await addCheckpoint(service.pool, "org_one", id, nodeRecord("stored", 1_000));
    run.publish(nodeRecord("unsaved", 2_000));
    run.publish(nodeRecord("loop", 2_100, { endedAt: 2_200 }));
    run.publish({
      nodeKey: "slow",
      nodeId: "slow",
      type: "http-request",
      status: "EXECUTING",
      startedAt: 2_500,
    });
    const early = await service.open(id, "?include=nodes");
    const before = ["stored", "unsaved", "loop"].flatMap((key) => [`${key} EXECUTING`, `${key} COMPLETED`]);
    const seen = ["connected", "update", ...before, "slow EXECUTING"];
    for (const expected of seen) expect(told(await early.next())).toBe(expected);
    // What is stored afterwards, and what happens while one more joins, is told once.
    await addCheckpoint(service.pool, "org_one", id, nodeRecord("unsaved", 2_000));
    // A loop is stored when it is entered; that it has ended meanwhile is not.
    const entered = { ...nodeRecord("loop", 2_100, { endedAt: 2_100 }), status: "EXECUTING" };
    await addCheckpoint(service.pool, "org_one", id, entered as RunNodeRecord);
    run.stored([
      { nodeKey: "unsaved", status: "COMPLETED" },
      { nodeKey: "loop", status: "EXECUTING" },
    ]);
    const late = await service.open(id, "?include=nodes");
    run.publish({ nodeKey: "ask", nodeId: "ask", type: "approval", status: "EXECUTING", startedAt: 2_600 });
    run.publish({ nodeKey: "ask", nodeId: "ask", type: "approval", status: "PAUSED", startedAt: 2_600 });
    run.publish(nodeRecord("slow", 2_500, { endedAt: 2_700 }));
    const rest = ["ask EXECUTING", "ask PAUSED", "slow COMPLETED"];
    for (const expected of [...seen, ...rest]) expect(told(await late.next())).toBe(expected);
    for (const expected of rest) expect(told(await early.next())).toBe(expected);
    run.end();
    await move(service, id, "CANCELED");
    for (const events of [early, late])
      expect((await events.rest()).map(told)).toEqual(["update", "completed"]);
  });

  it("tells of a run that pauses in another process what it waits for", async () => {
    const id = await addRun(service.pool, { status: "PAUSED" });
    await addCheckpoint(service.pool, "org_one", id, nodeRecord("before", 1_000));
    await service.pool.query(
      `INSERT INTO run_waits (organization_id, run_id, node_key, node_id, kind, created_at)
       VALUES ('org_one', $1, 'ask[1]', 'ask', 'approval', to_timestamp(2))`,
      [id],
    );
    const events = await service.open(id, "?include=nodes");
    const messages = [];
    for (let at = 0; at < 6; at++) messages.push(await events.next());
    expect(messages.slice(2).map(told)).toEqual([
      "before EXECUTING",
      "before COMPLETED",
      "ask[1] EXECUTING",
      "ask[1] PAUSED",
    ]);
    expect(messages.every((message) => runStreamEvent.safeParse(message).success)).toBe(true);
    await events.close();
  });

  it("ends with completed whatever the values of its nodes are, and so do all others", async () => {
    const broken = '"\\ud800 \\u0000"';
    const record = (key: string, startedAt: number) =>
      JSON.stringify(nodeRecord(key, startedAt, { output: { text: "?" }, log: ["?"] })).replaceAll(
        '"?"',
        broken,
      );
    const [bad, good] = await Promise.all([
      addRun(service.pool, { status: "EXECUTING" }),
      addRun(service.pool, { status: "EXECUTING" }),
    ]);
    const streams = await Promise.all([bad, good].map((id) => service.open(id, "?include=nodes")));
    await service.pool.query(`INSERT INTO run_nodes VALUES ('org_one', $1, 'bad', 1, $2)`, [
      bad,
      record("bad", 1_000),
    ]);
    await service.pool.query(
      `INSERT INTO run_results (organization_id, run_id, nodes) VALUES ('org_one', $1, $2)`,
      [bad, `[${record("worse", 2_000)}]`],
    );
    await addCheckpoint(service.pool, "org_one", good, nodeRecord("fine", 1_000));
    for (const id of [bad, good]) await move(service, id, "COMPLETED");
    const [ofBad, ofGood] = await Promise.all(streams.map((events) => events.rest()));
    expect(ofBad!.map(told).filter((line) => line !== "update")).toEqual([
      "connected",
      "bad EXECUTING",
      "bad COMPLETED",
      "worse EXECUTING",
      "worse COMPLETED",
      "completed",
    ]);
    expect(ofGood!.map(told).slice(-4)).toEqual(["fine EXECUTING", "fine COMPLETED", "update", "completed"]);
    expect((await (await service.open(bad, "?include=nodes")).rest()).at(-1)).toMatchObject({
      type: "completed",
    });
    const { status, body } = await service.get(`/api/runs/${bad}/nodes`);
    expect([status, body.data.length]).toEqual([200, 2]);
  });

  it("of a run whose rows cannot be read at all still ends, and delays no other", async () => {
    const [bad, good] = await Promise.all([
      addRun(service.pool, { status: "EXECUTING" }),
      addRun(service.pool, { status: "EXECUTING" }),
    ]);
    const streams = await Promise.all([bad, good].map((id) => service.open(id, "?include=nodes")));
    await service.pool.query(`INSERT INTO run_nodes VALUES ('org_one', $1, 'bad', 1, '"no record"')`, [bad]);
    await addCheckpoint(service.pool, "org_one", good, nodeRecord("fine", 1_000));
    for (const id of [bad, good]) await moveRun(service.pool, id, "COMPLETED");
    await service.watch.poll();
    const [ofBad, ofGood] = await Promise.all(streams.map((events) => events.rest()));
    expect(ofBad!.at(-1)).toEqual({ type: "completed", status: "COMPLETED" });
    expect(ofGood!.map(told).slice(-4)).toEqual(["fine EXECUTING", "fine COMPLETED", "update", "completed"]);
  });

  it("loses no node of a long run, however many come at once", async () => {
    const nodes = Array.from({ length: 4_000 }, (_, at) =>
      nodeRecord(`step[${at}]`, at + 0.25, { endedAt: at + 0.5 }),
    );
    const id = await addRun(service.pool, { status: "COMPLETED", nodes });
    const messages = await (await service.open(id, "?include=nodes")).rest();
    const expected = nodes.flatMap(({ nodeKey }) => [`${nodeKey} EXECUTING`, `${nodeKey} COMPLETED`]);
    expect(messages.map(told)).toEqual(["connected", "update", ...expected, "completed"]);
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
    const impatient = await startStreamService({ pingAfterMs: 20, idleLimitMs: 60 });
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
