import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ClaimedRun } from "../../src/domain/run.ts";
import type { WaitPort } from "../../src/engine/flow-runner/run-types.ts";
import { RunWaits } from "../../src/engine/waits.ts";
import { graphOf, node as flowNode, run } from "../flow-runner/support/test-flow.ts";
import { chain, node } from "../support/runs-flows.ts";
import { type RunTestService, startRunService } from "../support/runs-service.ts";
import { until } from "../support/runs-until.ts";

const RUNS = 60;

let service: RunTestService;
beforeAll(async () => {
  service = await startRunService({ concurrency: 100 });
});
afterAll(() => service.stop());

describe("an answer that comes in the moment of the pause", () => {
  it("is not lost, however soon it comes", async () => {
    const { nodes, edges } = chain(node("ask", "approval", { message: "?" }), node("done", "return"));
    const approved = edges.map((edge) =>
      edge.source === "ask" ? { ...edge, sourceHandle: "approved" } : edge,
    );
    await service.flow("flow_ask", { nodes, edges: approved });
    const answered = new Set<string>();
    const isOver = new AbortController();
    // As soon as it is asked; the run may still be on its way into the pause.
    const answering = (async () => {
      while (!isOver.signal.aborted) {
        const asked = await service.rows(`SELECT run_id FROM run_waits WHERE answered_at IS NULL`);
        const open = asked.map(({ run_id }) => run_id as string).filter((id) => !answered.has(id));
        await Promise.all(
          open.map(async (id) => {
            const { status } = await service.resume(id, { decision: "approved" });
            if (status === 200) answered.add(id);
          }),
        );
        await sleep(1);
      }
    })();
    const ids = await Promise.all(Array.from({ length: RUNS }, () => service.begin("flow_ask")));
    await until("all have ended", async () => {
      const done = await service.rows(`SELECT FROM runs WHERE id = ANY($1) AND status = 'COMPLETED'`, ids);
      return done.length === RUNS;
    });
    isOver.abort();
    await answering;
  });

  it("is among those that the pause looks for", async () => {
    const state = { startedAt: new Date(), dueAt: null, expiresAt: null, answer: null, answeredAt: null };
    const waits = new RunWaits(
      {} as ClaimedRun,
      {
        begin: async () => state,
        untilDue: async () => {},
        notified: async () => {},
        withdraw: async () => {},
        cancelChildren: async () => {},
        leave: () => {},
        watch: () => {},
      },
      [],
    );
    const ask = { nodeKey: "ask", nodeId: "ask", attempt: 1, timeoutMs: undefined };
    await waits.begin({ ...ask, suspension: { kind: "approval", message: "?" } });
    waits.suspend();
    waits.settle(ask, { answer: { decision: "approved" }, answeredAt: 1 });
    expect(waits.open().map(({ nodeKey }) => nodeKey)).toEqual(["ask"]);
  });

  it("is not heard any more once it is decided", async () => {
    const graph = graphOf([flowNode("start", "start"), flowNode("ask", "suspend")], "start ask");
    const told: string[] = [];
    const waits: WaitPort = {
      begin: async () => ({
        startedAt: 1,
        expiresAt: undefined,
        mayPause: true,
        answer: new Promise<never>(() => {}),
      }),
      expiryOf: () => undefined,
      end: () => {},
      suspend: () => told.push("suspended"),
      withdraw: async () => {},
    };
    const { outcome } = await run(graph, { waits });
    expect([outcome.kind, told]).toEqual(["suspended", ["suspended"]]);
  });
});
