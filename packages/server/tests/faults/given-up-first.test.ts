import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { chain, joined, node, type TestGraph, type TestNode } from "../support/runs-flows.ts";
import { type Gate, startGate } from "../support/runs-gate.ts";
import { type RunTestService, startRunService } from "../support/runs-service.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { until } from "../support/runs-until.ts";

let own: TestService;
let service: RunTestService;
let gate: Gate;
beforeAll(async () => {
  own = await startTestService();
  service = await startRunService({ concurrency: 20 }, async () => own);
  await service.flow("flow_long", chain(node("nap", "wait", { duration: "1h" })));
});
afterAll(() => service.stop());
beforeEach(async () => {
  await gate?.close();
  gate = await startGate();
});
afterAll(() => gate.close());

const SHORT = { timeoutSeconds: 0.3, onError: "continue" };

/** Behind another, a child that is given up, an effect that follows, and one beside it so that the run does not pause. */
function limited(first: TestNode): TestGraph {
  const child = node("child", "run-flow", { flowId: "flow_long" }, SHORT);
  const both = joined(joined(chain(first), child, [first.id]), gate.node("beside"), [first.id]);
  return joined(both, gate.node("after"), ["child"]);
}

const lockTable = (table: string) => `LOCK TABLE ${table} IN EXCLUSIVE MODE`;
/** What starting a child waits for, and canceling one does not. */
const LOCK_ORGANIZATIONS = `SELECT FROM organizations FOR UPDATE`;

/** While somebody else holds what `lock` takes. */
async function locked(lock: string, work: () => Promise<void>): Promise<void> {
  const holder = await own.database.pool.connect();
  try {
    await holder.query(`BEGIN`);
    await holder.query(lock);
    await work();
  } finally {
    await holder.query(`ROLLBACK`);
    holder.release();
  }
}

async function isBlocked(part: string): Promise<boolean> {
  const found = await service.rows(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND position($1 IN query) > 0`,
    part,
  );
  return found.length > 0;
}

describe("what is given up is canceled before anything that follows is sent", () => {
  it("where the process itself notices that its time is over", async () => {
    await service.flow("flow_noticed", limited(node("first", "set", { values: {} })));
    let id = "";
    await locked(lockTable("run_cancellations"), async () => {
      id = await service.begin("flow_noticed");
      await until("it is to be written that nobody waits any more", () => isBlocked(`{"timedOut":true}`));
      await sleep(200);
      expect(gate.arrived).toEqual(["/beside"]);
    });
    await gate.untilArrived(2);
    expect(await service.children(id)).toMatchObject([{ status: "CANCELED" }]);
  });

  it("where its time is over before it has begun", async () => {
    await service.flow("flow_late", limited(gate.node("first")));
    const id = await service.begin("flow_late");
    await gate.untilArrived(1);
    await locked(LOCK_ORGANIZATIONS, async () => {
      gate.letGo();
      await until("the child is to be started", () => isBlocked("begin_waits"));
      await until("its time is over", async () => (await statusOf(id, "child")) === "FAILED");
      await sleep(200);
      expect(gate.arrived).toEqual(["/first", "/beside"]);
    });
    await gate.untilArrived(3);
    expect(await service.children(id)).toMatchObject([{ status: "CANCELED" }]);
  });

  it("where its round ends before it has begun", async () => {
    const child = node("child", "run-flow", { flowId: "flow_long" });
    const each = node("each", "for-each", { items: [1], onItemError: "continue" });
    await service.flow("flow_early", loopOf(each, [child, gate.node("refused")]));
    let id = "";
    await locked(lockTable("run_waits"), async () => {
      id = await service.begin("flow_early");
      await until("the child is to be started", () => isBlocked("begin_waits"));
      await gate.untilArrived(1);
      gate.letGo(404);
      await until("the round has failed", async () => (await statusOf(id, "refused")) === "FAILED");
      await sleep(200);
      expect(gate.arrived).toEqual(["/refused"]);
    });
    await gate.untilArrived(2);
    expect(await service.children(id)).toMatchObject([{ status: "CANCELED" }]);
  });

  it("where others notice it while the run is paused", async () => {
    const child = node("child", "run-flow", { flowId: "flow_long" });
    const patient = { ...child, data: { ...child.data, timeoutSeconds: 3_600, onError: "continue" } };
    await service.flow("flow_paused", chain(patient, gate.node("after")));
    const id = await service.begin("flow_paused");
    await service.untilStatus(id, "PAUSED");
    await service.timeOut(id);
    await gate.untilArrived(1);
    expect(await service.children(id)).toMatchObject([{ status: "CANCELED" }]);
  });

  it("and is not started again where its round ends because of another", async () => {
    const child = (id: string, data: object) => node(id, "run-flow", { flowId: "flow_long" }, data);
    const slow = child("slow", { retry: { maxAttempts: 2, backoffSeconds: 0.05 } });
    const limited = child("limited", { timeoutSeconds: 3_600 });
    const each = node("each", "for-each", { items: [1] }, { onError: "continue" });
    const canceled = [{ status: "CANCELED" }, { status: "CANCELED" }];
    const id = await beginRound("flow_round", each, [slow, limited]);
    expect(await service.children(id)).toMatchObject(canceled);
    gate.letGo();
    expect((await service.untilEnd(id)).status).toBe("COMPLETED");
    expect(await service.children(id)).toMatchObject(canceled);
  });

  it("where a round that ends has not come to it again", async () => {
    // Executed again in every epoch, and longer under way than the answer that ends the round.
    const think = node("think", "code", { source: "return 1" });
    const child = node("child", "run-flow", { flowId: "flow_long" });
    const limited = node("limited", "approval", { message: "Go on?" }, { timeoutSeconds: 3_600 });
    const each = node("each", "for-each", { items: [1], onItemError: "continue" });
    const edge = { id: "inside", source: "think", target: "child" };
    const id = await beginRound("flow_again", each, [think, child, limited], [edge]);
    expect(await service.children(id)).toMatchObject([{ status: "CANCELED" }]);
  });
});

async function statusOf(runId: string, id: string): Promise<unknown> {
  return (await service.nodes(runId)).find(({ nodeId }) => nodeId === id)?.["status"];
}

/** A loop with these nodes, and an effect that follows it. */
function loopOf(each: TestNode, inside: readonly TestNode[], edges: TestGraph["edges"] = []): TestGraph {
  const loop = chain(each, gate.node("after"));
  return {
    nodes: [...loop.nodes, ...inside.map((one) => ({ ...one, parentId: each.id }))],
    edges: [...loop.edges, ...edges],
  };
}

/** A loop with these nodes, whose node `limited` runs out of time; returns when the effect that follows has been sent. */
async function beginRound(
  flowId: string,
  each: TestNode,
  inside: readonly TestNode[],
  edges: TestGraph["edges"] = [],
): Promise<string> {
  await service.flow(flowId, loopOf(each, inside, edges));
  const id = await service.begin(flowId);
  await service.untilStatus(id, "PAUSED");
  await service.timeOut(id, "limited");
  await gate.untilArrived(1);
  return id;
}
