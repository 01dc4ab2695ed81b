import { describe, expect, it } from "vitest";
import type { Suspension } from "../../src/engine/nodes/node-type.ts";
import { errorOf, outputNow, outputOf, runNode } from "./run-node.ts";

const nowMs = Date.parse("2030-01-01T00:00:00Z");
const services = { now: () => nowMs };

/** What a node waits for; it is answered as the test says. */
async function waitOf(type: string, inputs: Record<string, unknown>, answer: Record<string, unknown> = {}) {
  const waits: Suspension[] = [];
  const waitFor = async (suspension: Suspension) => {
    waits.push(suspension);
    return answer;
  };
  const outcome = await runNode(type, inputs, { services, waitFor });
  return { waits, outcome };
}

describe("wait", () => {
  it.each([
    [{ duration: 0.02 }, { durationMs: 20 }],
    [{ duration: "5s" }, { durationMs: 5_000 }],
    [{ duration: "2m" }, { durationMs: 120_000 }],
    [{ duration: "1h" }, { durationMs: 3_600_000 }],
    [{ duration: "2d" }, { durationMs: 172_800_000 }],
    [{ duration: 90 }, { durationMs: 90_000 }],
    [{ until: "2030-01-01T00:01:00Z" }, { untilMs: nowMs + 60_000 }],
    [{ until: "2030-01-01T02:01:00+02:00" }, { untilMs: nowMs + 60_000 }],
    [{ until: "2030-01-01T00:01:00" }, { untilMs: nowMs + 60_000 }],
    [{ until: "2030-01-02" }, { untilMs: nowMs + 86_400_000 }],
  ])("waits for its time: %j", async (inputs, time) => {
    const answer = { waitedUntil: "2030-01-01T00:00:01.000Z" };
    const { waits, outcome } = await waitOf("wait", inputs, answer);
    expect(waits).toEqual([{ kind: "wait", ...time }]);
    expect(outcome).toEqual({ kind: "output", output: answer });
  });

  it("does not wait for no time", () => {
    expect(outputNow("wait", { duration: 0 }, { services })).toEqual({
      waitedUntil: "2030-01-01T00:00:00.000Z",
    });
  });

  it("leaves it to the database whether a moment has passed", async () => {
    const answer = { waitedUntil: "2029-01-01T00:00:00.000Z" };
    const { waits } = await waitOf("wait", { until: "2029-01-01" }, answer);
    expect(waits).toEqual([{ kind: "wait", untilMs: Date.parse("2029-01-01") }]);
  });

  it.each([[{}], [{ duration: "1h", until: "2030-01-02" }]])(
    "wants exactly one of its inputs: %j",
    async (inputs) => {
      expect((await errorOf("wait", inputs, { services })).name).toBe("WaitInvalid");
    },
  );

  it.each([[{ duration: "soon" }], [{ duration: "366d" }], [{ duration: -1 }], [{ until: "tomorrow" }]])(
    "refuses what is no time: %j",
    (inputs) => {
      expect(() => runNode("wait", inputs, { services })).toThrow();
    },
  );
});

describe("approval", () => {
  it("asks its message with its time limit, and leaves by the decision", async () => {
    const answer = { decision: "approved", by: "ada", data: null };
    const limited = await waitOf("approval", { message: "Refund?", timeout: "2d" }, answer);
    expect(limited.waits).toEqual([{ kind: "approval", message: "Refund?", timeoutMs: 172_800_000 }]);
    expect(limited.outcome).toEqual({
      kind: "output",
      output: { decision: "approved", by: "ada" },
      handle: "approved",
    });
    expect((await waitOf("approval", { message: "Refund?" }, answer)).waits).toEqual([
      { kind: "approval", message: "Refund?" },
    ]);
  });
});

describe("run-flow", () => {
  it("waits for the other run unless told otherwise, and ends it with its own", async () => {
    const answer = { runId: "run_1", status: "COMPLETED", output: { n: 1 }, error: null };
    const { waits, outcome } = await waitOf(
      "run-flow",
      { flowId: "flow_b", data: { a: 1 }, trigger: { body: { b: 2 } } },
      answer,
    );
    expect(waits).toEqual([
      {
        kind: "run-flow",
        flowId: "flow_b",
        data: { a: 1 },
        trigger: { body: { b: 2 } },
        wait: true,
        onParentEnd: "cancel",
      },
    ]);
    expect(outcome).toEqual({
      kind: "output",
      output: { runId: "run_1", status: "COMPLETED", output: { n: 1 } },
    });
    const left = await waitOf("run-flow", { flowId: "flow_b", wait: false, onParentEnd: "leave" }, answer);
    expect(left.waits).toEqual([
      { kind: "run-flow", flowId: "flow_b", data: {}, wait: false, onParentEnd: "leave" },
    ]);
  });

  it.each([
    [
      { runId: "run_1", status: "FAILED", error: { name: "Broken", message: "no" } },
      "Broken",
      "run_1 ended FAILED: no",
    ],
    [{ runId: "run_1", status: "CANCELED", error: null }, "SubflowCanceled", "was cancelled"],
    [{ error: { name: "FlowNotFound", message: "no such flow" } }, "FlowNotFound", "no such flow"],
  ])("fails with the other run: %j", async (answer, name, text) => {
    const failure = await errorOf("run-flow", { flowId: "flow_b" }, { waitFor: async () => answer });
    expect(failure.name).toBe(name);
    expect(failure.message).toContain(text);
  });

  it("gives its output", async () => {
    const answer = { runId: "run_1", status: "WAITING" };
    expect(await outputOf("run-flow", { flowId: "b", wait: false }, { waitFor: async () => answer })).toEqual(
      answer,
    );
  });
});
