import { runStreamEvent, type RunStreamEvent } from "@millrace/contract/runs";
import { expect, it } from "vitest";
import { createTestDatabase } from "../support/database.ts";
import { type EventReader, readEvents } from "../support/event-reader.ts";
import { chain, node } from "../support/runs-flows.ts";
import { startGate } from "../support/runs-gate.ts";
import { startRunService } from "../support/runs-service.ts";
import { startTestService } from "../support/service.ts";

type NodeData = Extract<RunStreamEvent, { type: "node" }>["data"];

/** Names that sort the other way round than they happen. */
const steps = ["start", "zeta", "mu", "alpha", "call", "again", "above"];
const both = (key: string) => [`${key} EXECUTING`, `${key} COMPLETED`];

async function nodesUntil(events: EventReader, isLast: (data: NodeData) => boolean): Promise<NodeData[]> {
  const nodes: NodeData[] = [];
  for (;;) {
    const event = runStreamEvent.parse(await events.next());
    if (event.type === "completed") return nodes;
    if (event.type !== "node") continue;
    nodes.push(event.data);
    if (isLast(event.data)) return nodes;
  }
}
const texts = (nodes: readonly NodeData[]) => nodes.map(({ nodeKey, status }) => `${nodeKey} ${status}`);
const never = () => false;

async function withFlow(
  roles: readonly ("all" | "api" | "worker")[],
  check: (made: Awaited<ReturnType<typeof makeParts>>) => Promise<void>,
): Promise<void> {
  const made = await makeParts(roles);
  try {
    await check(made);
  } finally {
    await made.gate.close();
    for (const service of made.services.toReversed()) await service.stop();
  }
}

async function makeParts(roles: readonly ("all" | "api" | "worker")[]) {
  const gate = await startGate();
  const database = await createTestDatabase();
  const first = await startRunService({}, () => startTestService({}, { role: roles[0], database }));
  const rest = await Promise.all(
    roles
      .slice(1)
      .map((role) => startTestService({}, { role, database: { ...database, drop: async () => {} } })),
  );
  const pure = (id: string) => node(id, "set", { values: { id } });
  await first.flow(
    "flow_steps",
    chain(pure("zeta"), pure("mu"), pure("alpha"), gate.node("call"), gate.node("again"), pure("above")),
  );
  const open = (runId: string) =>
    readEvents(`${first.address}/api/runs/${runId}/stream?include=nodes`, first.key);
  return { gate, service: first, services: [first, ...rest], open };
}

it("tells who joins late what happened in its order, goes on from there, and tells the same afterwards", () =>
  withFlow(["all"], async ({ gate, service, open }) => {
    const runId = await service.begin("flow_steps");
    await gate.untilArrived(1);
    const events = await open(runId);
    const before = await nodesUntil(events, ({ nodeKey }) => nodeKey === "call");
    expect(texts(before)).toEqual([...steps.slice(0, 4).flatMap(both), "call EXECUTING"]);
    gate.letGo();
    await gate.untilArrived(2);
    gate.letGo();
    const after = await nodesUntil(events, never);
    expect(texts([...before, ...after])).toEqual(steps.flatMap(both));
    const again = await nodesUntil(await open(runId), never);
    expect(again).toEqual([...before, ...after]);
    for (const { completedAt, startedAt, status } of again) {
      expect(completedAt === undefined).toBe(status === "EXECUTING");
      if (completedAt !== undefined) expect(completedAt >= startedAt).toBe(true);
    }
  }));

it("tells the same of a run that another process executes", () =>
  withFlow(["api", "worker"], async ({ gate, service, open }) => {
    gate.open();
    const runId = await service.begin("flow_steps");
    const live = await nodesUntil(await open(runId), never);
    expect(texts(live)).toEqual(steps.flatMap(both));
    expect(await nodesUntil(await open(runId), never)).toEqual(live);
  }));

it("tells of a wait that it pauses, and of its end before what follows", () =>
  withFlow(["all"], async ({ service, open }) => {
    const graph = chain(node("ask", "approval", { message: "Well?" }), node("above", "set", { values: {} }));
    const edges = graph.edges.map((edge) =>
      edge.source === "ask" ? { ...edge, sourceHandle: "approved" } : edge,
    );
    await service.flow("flow_ask", { ...graph, edges });
    const runId = await service.begin("flow_ask");
    const events = await open(runId);
    await service.untilStatus(runId, "PAUSED");
    const late = await open(runId);
    // Whoever hears of a pause only afterwards is not told of it.
    const isPause = ({ status }: NodeData) => status === "PAUSED";
    const told = [await nodesUntil(events, isPause), await nodesUntil(late, isPause)];
    await service.resume(runId, { decision: "approved" });
    const expected = [...both("start"), "ask EXECUTING", "ask PAUSED", "ask COMPLETED", ...both("above")];
    expect(texts([...told[0]!, ...(await nodesUntil(events, never))])).toEqual(expected);
    expect(texts([...told[1]!, ...(await nodesUntil(late, never))])).toEqual(expected);
  }));

it("tells of a node that a cancel has stopped before it tells of the end", () =>
  withFlow(["all"], async ({ gate, service, open }) => {
    const runId = await service.begin("flow_steps");
    await gate.untilArrived(1);
    const events = await open(runId);
    await nodesUntil(events, ({ nodeKey }) => nodeKey === "call");
    await service.send("POST", `/api/runs/${runId}/cancel`, { key: service.key });
    expect(texts(await nodesUntil(events, never))).toEqual(["call CANCELED"]);
  }));

it("tells every node of a loop that is faster than its reader", () =>
  withFlow(["all"], async ({ gate, service, open }) => {
    const { nodes, edges } = chain(gate.node("call"), node("loop", "for-each", { items: "{{ [1..3000] }}" }));
    const step = { ...node("step", "set", { values: { item: "{{ item }}" } }), parentId: "loop" };
    await service.flow("flow_loop", { nodes: [...nodes, step], edges });
    const runId = await service.begin("flow_loop");
    await gate.untilArrived(1);
    const events = await open(runId);
    const before = await nodesUntil(events, ({ nodeKey }) => nodeKey === "call");
    gate.letGo();
    const told = [...before, ...(await nodesUntil(events, never))];
    expect(told.filter(({ nodeId, status }) => nodeId === "step" && status === "COMPLETED")).toHaveLength(
      3_000,
    );
    expect(texts(told).slice(-1)).toEqual(["loop COMPLETED"]);
    expect(texts(await nodesUntil(await open(runId), never))).toEqual(texts(told));
  }));
