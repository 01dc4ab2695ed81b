import { describe, expect, it } from "vitest";
import { IdMaker } from "../../src/domain/ids.ts";
import { newRun, type NewRun } from "../../src/domain/new-run.ts";

describe("a run to be made", () => {
  const ids = new IdMaker(() => 1_763_480_000_000);
  const flow = { id: "flow_a", version: "3" };

  it("has what its maker leaves out", () => {
    expect(newRun(ids, flow, { nodeCount: 3 }, { triggerSource: "api" })).toMatchObject({
      flowId: "flow_a",
      version: "3",
      triggerSource: "api",
      tags: [],
      isTest: false,
      delayMs: 0,
      maxAttempts: 1,
      maxDurationMs: 3_600_000,
      depth: 0,
    });
  });

  it("keeps all that its maker says", () => {
    const given = {
      triggerSource: "webhook",
      tags: ["a"],
      isTest: true,
      delayMs: 5,
      maxAttempts: 2,
      maxDurationMs: 7,
      depth: 4,
      parent: { runId: "run_1", nodeKey: "call" },
      idempotency: { scope: "api:flow_a", keyHash: Buffer.of(1) },
      data: { a: 1 },
      inputs: { b: { c: 2 } },
      trigger: { body: 3 },
    } satisfies Partial<NewRun>;
    const { id, flowId, version, credits, ...rest } = newRun(ids, flow, { nodeCount: 3 }, given);
    expect(rest).toEqual(given);
    expect([id.slice(0, 4), flowId, version, credits]).toEqual(["run_", "flow_a", "3", expect.any(Number)]);
  });
});
