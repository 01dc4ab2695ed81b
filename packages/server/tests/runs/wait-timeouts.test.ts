import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { chain, joined, node } from "../support/runs-flows.ts";
import { type Gate, startGate } from "../support/runs-gate.ts";
import { type RunTestService, startRunService } from "../support/runs-service.ts";
import { until } from "../support/runs-until.ts";

let service: RunTestService;
let gate: Gate;
beforeAll(async () => {
  service = await startRunService({ concurrency: 20 });
  await service.flow("flow_long", chain(node("nap", "wait", { duration: "1h" })));
});
afterAll(() => service.stop());
beforeEach(async () => {
  await gate?.close();
  gate = await startGate();
});
afterAll(() => gate.close());

describe("timeoutSeconds", () => {
  it("ends the wait for a child, paused or not, and cancels the child", async () => {
    await service.flow(
      "flow_limited_child",
      chain({
        id: "child",
        type: "run-flow",
        data: { inputs: { flowId: "flow_long" }, timeoutSeconds: 3_600, onError: "continue" },
      }),
    );
    const id = await service.begin("flow_limited_child");
    const child = await service.untilChild(id, "PAUSED");
    await service.untilStatus(id, "PAUSED");
    await service.timeOut(id);
    const run = await service.untilEnd(id);
    expect(run.output.child.error).toEqual({
      name: "NodeTimeout",
      message: "The node took longer than 3600 seconds.",
    });
    await until("the child is canceled", async () => (await service.status(child.id)) === "CANCELED");
  });

  it("ends an approval by its handle where that leads somewhere, and by the error where not", async () => {
    const ask = { id: "ask", type: "approval", data: { inputs: { message: "?" }, timeoutSeconds: 0.2 } };
    await service.flow(
      "flow_limited_ask",
      joined(chain(ask), node("late", "return", { value: { late: true } }), ["ask", "timeout"]),
    );
    expect((await service.untilEnd(await service.begin("flow_limited_ask"))).output).toEqual({ late: true });
    await service.flow("flow_limited_ask_error", chain(ask));
    const run = await service.untilEnd(await service.begin("flow_limited_ask_error"));
    expect(run).toMatchObject({ status: "FAILED", error: { name: "NodeTimeout", nodeId: "ask" } });
    expect((await service.resume(run.id, { decision: "approved" })).status).toBe(400);
  });

  it("counts from the first entry of a container, pauses included, and takes what waits inside with it", async () => {
    await service.flow("flow_limited_loop", {
      nodes: [
        { id: "start", type: "start", data: {} },
        {
          id: "each",
          type: "for-each",
          data: { inputs: { items: [1, 2], concurrency: 2 }, timeoutSeconds: 3_600, onError: "continue" },
        },
        { ...node("child", "run-flow", { flowId: "flow_long" }), parentId: "each" },
        { ...gate.node("after"), parentId: "each" },
        gate.node("behind"),
      ],
      edges: [
        { id: "a", source: "start", target: "each" },
        { id: "b", source: "child", target: "after" },
        { id: "c", source: "each", target: "behind" },
      ],
    });
    const id = await service.begin("flow_limited_loop");
    await service.untilStatus(id, "PAUSED");
    await service.timeOut(id, "each");
    expect(await service.children(id)).toHaveLength(2);
    // Not because the run has ended: it goes on.
    await until("both children are canceled", async () =>
      (await service.children(id)).every(({ status }) => status === "CANCELED"),
    );
    await gate.untilArrived(1);
    expect(await service.status(id)).toBe("EXECUTING");
    gate.open();
    await service.untilEnd(id);
    expect(gate.arrived).toEqual(["/behind"]);
    const each = (await service.nodes(id)).find(({ nodeKey }) => nodeKey === "each")!;
    expect(each["error"].name).toBe("NodeTimeout");
  });

  it("stops a loop of slow calls: what is under way is aborted, and nothing is sent afterwards", async () => {
    await service.flow("flow_limited_calls", {
      nodes: [
        { id: "start", type: "start", data: {} },
        {
          id: "each",
          type: "for-each",
          data: { inputs: { items: [1, 2, 3, 4], concurrency: 2 }, timeoutSeconds: 1, onError: "continue" },
        },
        { ...gate.node("slow"), parentId: "each" },
        gate.node("behind"),
      ],
      edges: [
        { id: "a", source: "start", target: "each" },
        { id: "b", source: "each", target: "behind" },
      ],
    });
    const id = await service.begin("flow_limited_calls");
    await until("the call behind the loop has arrived", () => gate.arrived.includes("/behind"));
    await until("what was under way is aborted", () => gate.dropped.length === 2);
    gate.open();
    expect((await service.untilEnd(id)).status).toBe("COMPLETED");
    expect(gate.arrived.toSorted()).toEqual(["/behind", "/slow", "/slow"]);
  });
});
