import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Gate, startGate } from "../support/runs-gate.ts";
import { until } from "../support/runs-until.ts";
import { flowOf, report, type TestNode, withFile } from "./dry-run.ts";

type Options = Parameters<typeof report>[1];

const run = (documents: readonly object[], options: Options = {}) =>
  withFile(documents, (path) => report([path], options));
const node = (id: string, type: string, inputs: object, data: object = {}): TestNode => ({
  id,
  type,
  data: { inputs, ...data },
});
const never = () => new Promise<never>(() => {});

let gate: Gate;
beforeEach(async () => {
  gate = await startGate();
});
afterEach(() => gate.close());

const leaf = () => flowOf("flow_leaf", [node("done", "return", { value: { n: 1 } })], ["start done"]);
const held = () => flowOf("flow_held", [gate.node("held") as TestNode], ["start held"]);

describe("a dry run obeys the rules of the service", () => {
  it("a child runs and is taken up beside a slow call", async () => {
    const flow = flowOf(
      "flow_a",
      [
        gate.node("slow") as TestNode,
        node("child", "run-flow", { flowId: "flow_leaf" }),
        gate.node("next") as TestNode,
      ],
      ["start slow", "start child", "child next"],
    );
    const running = run([flow, leaf()], { flowId: "flow_a" });
    await until("the call behind the child has arrived", () => gate.arrived.includes("/next"));
    expect(gate.dropped).toEqual([]);
    gate.open();
    expect((await running).result.status).toBe("COMPLETED");
  });

  it("a child that nobody waits for runs to its end although another branch returns", async () => {
    const flow = flowOf(
      "flow_a",
      [node("fire", "run-flow", { flowId: "flow_held", wait: false }), node("done", "return", { value: {} })],
      ["start fire", "start done"],
    );
    const running = run([flow, held()], { flowId: "flow_a" });
    await gate.untilArrived(1);
    gate.open();
    const { nodes } = await running;
    expect(
      nodes.filter(({ flowId, status }) => flowId === "flow_held" && status === "COMPLETED"),
    ).toHaveLength(2);
  });

  it.each([
    ["cancel", 1],
    ["leave", 0],
  ])("a parent that fails while it waits lets %s decide about the child", async (onParentEnd, dropped) => {
    const flow = flowOf(
      "flow_a",
      [
        node("child", "run-flow", { flowId: "flow_held", onParentEnd }),
        gate.node("other") as TestNode,
        node("no", "fail", { message: "no" }),
      ],
      ["start child", "start other", "other no"],
    );
    const running = run([flow, held()], { flowId: "flow_a" });
    await gate.untilArrived(2);
    gate.letGo(200, "/other");
    if (dropped === 1) await until("the child is canceled", () => gate.dropped.length === 1);
    else await until("the parent has failed", () => gate.arrived.length === 2);
    gate.open();
    expect((await running).result.status).toBe("FAILED");
    expect(gate.dropped).toHaveLength(dropped);
  });

  it("timeoutSeconds ends waits, approvals, children and containers", async () => {
    const limited = { timeoutSeconds: 0.1, onError: "continue" };
    const flow = flowOf(
      "flow_a",
      [
        node("nap", "wait", { duration: "1h" }, limited),
        node("ask", "approval", { message: "?" }, limited),
        node("child", "run-flow", { flowId: "flow_held" }, limited),
        node("each", "for-each", { items: [1, 2] }, limited),
        { ...(gate.node("inside") as TestNode), parentId: "each" } as TestNode,
        node("late", "approval", { message: "?" }, { timeoutSeconds: 0.1 }),
        node("handled", "set", { values: { late: true } }),
      ],
      ["start nap", "start ask", "start child", "start each", "start late", "late:timeout handled"],
    );
    const { output, result } = await run([flow, held()], {
      flowId: "flow_a",
      answers: { wait: never, approval: never },
    });
    expect(result.status).toBe("COMPLETED");
    for (const nodeKey of ["nap", "ask", "child", "each"])
      expect(output(nodeKey)).toMatchObject({ error: { name: "NodeTimeout" } });
    expect(output("handled")).toEqual({ late: true });
    expect(gate.arrived.filter((path) => path === "/inside").length).toBeLessThan(2);
  });
});
