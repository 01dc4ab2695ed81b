import { describe, expect, it } from "vitest";
import { errorOf, outputNow, outputOf, runNode } from "./run-node.ts";

const nowMs = Date.parse("2030-01-01T00:00:00Z");
const services = { now: () => nowMs };

describe("wait", () => {
  it.each([
    [{ duration: "5s" }, 5_000],
    [{ duration: "2m" }, 120_000],
    [{ duration: "1h" }, 3_600_000],
    [{ duration: "2d" }, 172_800_000],
    [{ duration: 90 }, 90_000],
    [{ until: "2030-01-01T00:01:00Z" }, 60_000],
    [{ until: "2030-01-01T02:01:00+02:00" }, 60_000],
    [{ until: "2030-01-01T00:01:00" }, 60_000],
    [{ until: "2030-01-02" }, 86_400_000],
  ])("suspends the run for five seconds and more: %j", (inputs, waitMs) => {
    expect(runNode("wait", inputs, { services })).toEqual({
      kind: "suspend",
      suspension: { kind: "wait", untilMs: nowMs + waitMs },
    });
  });

  it("waits shorter times in place", async () => {
    expect(await outputOf("wait", { duration: 0.02 }, { services })).toEqual({
      waitedUntil: "2030-01-01T00:00:00.020Z",
    });
  });

  it("does not wait for a moment that has passed", () => {
    expect(outputNow("wait", { until: "2029-01-01" }, { services })).toEqual({
      waitedUntil: "2029-01-01T00:00:00.000Z",
    });
  });

  it("stops waiting when it is aborted", async () => {
    const controller = new AbortController();
    const failure = errorOf("wait", { duration: "4s" }, { services, signal: controller.signal });
    controller.abort();
    expect((await failure).name).toBe("AbortError");
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
  it("suspends with its message and its time limit", () => {
    expect(runNode("approval", { message: "Refund?", timeout: "2d" })).toEqual({
      kind: "suspend",
      suspension: { kind: "approval", message: "Refund?", timeoutMs: 172_800_000 },
    });
    expect(runNode("approval", { message: "Refund?" })).toEqual({
      kind: "suspend",
      suspension: { kind: "approval", message: "Refund?" },
    });
  });
});

describe("run-flow", () => {
  it("suspends and waits for the other run unless told otherwise", async () => {
    expect(
      await runNode("run-flow", { flowId: "flow_b", data: { a: 1 }, trigger: { body: { b: 2 } } }),
    ).toEqual({
      kind: "suspend",
      suspension: {
        kind: "run-flow",
        flowId: "flow_b",
        data: { a: 1 },
        trigger: { body: { b: 2 } },
        wait: true,
      },
    });
    expect(await runNode("run-flow", { flowId: "flow_b", wait: false })).toEqual({
      kind: "suspend",
      suspension: { kind: "run-flow", flowId: "flow_b", data: {}, wait: false },
    });
  });
});
