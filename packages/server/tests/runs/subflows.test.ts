import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chain, fan, node } from "../support/runs-flows.ts";
import { type RunTestService, startRunService } from "../support/runs-service.ts";
import { until } from "../support/runs-until.ts";

let service: RunTestService;
beforeAll(async () => {
  service = await startRunService({ concurrency: 1 });
});
afterAll(() => service.stop());

const call = (id: string, flowId: string, more: object = {}) => node(id, "run-flow", { flowId, ...more });

describe("a flow that runs another", () => {
  it("completes parent, child and grandchild with a limit of one, even with others in the queue", async () => {
    await service.flow("flow_leaf", chain(node("done", "return", { value: { n: "{{ data.n * 2 }}" } })));
    await service.flow(
      "flow_middle",
      chain(
        call("leaf", "flow_leaf", { data: { n: "{{ data.n + 1 }}" } }),
        node("done", "return", { value: { n: "{{ nodes.leaf.output.n }}" } }),
      ),
    );
    await service.flow(
      "flow_top",
      chain(
        call("middle", "flow_middle", { data: { n: "{{ data.n }}" } }),
        node("done", "return", { value: { got: "{{ nodes.middle }}" } }),
      ),
    );
    const ids = await Promise.all(
      Array.from({ length: 8 }, (_, n) => service.begin("flow_top", { payload: { data: { n } } })),
    );
    for (const [n, id] of ids.entries()) {
      const run = await service.untilEnd(id);
      expect(run).toMatchObject({
        status: "COMPLETED",
        output: { got: { status: "COMPLETED", output: { n: (n + 1) * 2 } } },
      });
      const child = await service.get(`/api/runs/${run.output.got.runId}`, service.key);
      expect(child.body.data).toMatchObject({ taskIdentifier: "execute-subflow", status: "COMPLETED" });
      expect((await service.row(run.output.got.runId))["trigger_source"]).toBe("subflow");
    }
  });

  it("fails with a depth error when it calls itself for ever", async () => {
    await service.flow("flow_self", chain(call("again", "flow_self")));
    const id = await service.begin("flow_self");
    const run = await service.untilEnd(id);
    expect(run.status).toBe("FAILED");
    expect(run.error.message).toContain("deep");
    const { rows } = await service.database.pool.query(
      `SELECT max(depth) AS depth, count(*) AS count, bool_and(status = 'FAILED') AS ended FROM runs WHERE flow_id = 'flow_self'`,
    );
    expect(rows[0]).toEqual({ depth: 8, count: 9, ended: true });
  });

  it("goes on at once where it does not wait", async () => {
    await service.flow("flow_slow", chain(node("pause", "wait", { duration: "1h" })));
    await service.flow("flow_fire", chain(call("fire", "flow_slow", { wait: false })));
    const run = await service.untilEnd(await service.begin("flow_fire"));
    expect(run.status).toBe("COMPLETED");
    expect(run.output.fire).toMatchObject({ runId: expect.stringMatching(/^run_/), status: "WAITING" });
    await service.untilStatus(run.output.fire.runId, "PAUSED");
  });

  it("waits for all its children, and fails when one of them fails or is cancelled", async () => {
    await service.flow("flow_bad", chain(node("stop", "fail", { message: "broken leaf" })));
    await service.flow(
      "flow_two",
      fan(call("good", "flow_leaf", { data: { n: 1 } }), call("bad", "flow_bad")),
    );
    const failed = await service.untilEnd(await service.begin("flow_two"));
    expect(failed).toMatchObject({ status: "FAILED", error: { nodeId: "bad" } });
    expect(failed.error.message).toContain("broken leaf");

    await service.flow("flow_late", chain(call("late", "flow_delayed")));
    await service.flow("flow_delayed", chain(node("nap", "wait", { duration: "4s" })));
    const parent = await service.begin("flow_late");
    const child = await until("the child executes", async () => {
      const { rows } = await service.database.pool.query(
        `SELECT id FROM runs WHERE parent_run_id = $1 AND status = 'EXECUTING'`,
        [parent],
      );
      return rows[0]?.id as string | undefined;
    });
    await service.send("POST", `/api/runs/${child}/cancel`, { key: service.key });
    const ended = await service.untilEnd(parent);
    expect(ended).toMatchObject({ status: "FAILED", error: { nodeId: "late" } });
    expect(ended.error.message).toContain("cancelled");
  });
});
