import { runStreamEvent } from "@millrace/contract/runs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RunNodeRecord } from "../../src/domain/run-record.ts";
import { addCheckpoint, addRun, moveRun, nodeRecord } from "../support/runs.ts";
import { move, startStreamService, type StreamService } from "./stream-service.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- messages of every shape
const told = ({ type, data }: any): string => (type === "node" ? `${data.nodeKey} ${data.status}` : type);

describe("the stream of a run with its nodes", () => {
  let service: StreamService;
  beforeAll(async () => {
    service = await startStreamService();
  });
  afterAll(() => service.stop());

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
});
