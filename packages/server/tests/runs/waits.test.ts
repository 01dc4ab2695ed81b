import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { chain, fan, joined, node } from "../support/runs-flows.ts";
import { type Gate, startGate } from "../support/runs-gate.ts";
import { type RunTestService, startRunService } from "../support/runs-service.ts";
import { until } from "../support/runs-until.ts";

let service: RunTestService;
let gate: Gate;
beforeAll(async () => {
  service = await startRunService({ concurrency: 20 });
  await service.flow("flow_leaf", chain(node("done", "return", { value: { n: "{{ data.n }}" } })));
});
afterAll(() => service.stop());
beforeEach(async () => {
  await gate?.close();
  gate = await startGate();
});
afterAll(() => gate.close());

describe("what a node waits for begins when the node is reached", () => {
  it("a child runs beside a slow call, and its end is taken up without a pause", async () => {
    await service.flow(
      "flow_beside",
      joined(
        fan(gate.node("slow"), node("child", "run-flow", { flowId: "flow_leaf", data: { n: 7 } })),
        node("next", "http-request", { url: `${gate.url}/next?n={{ nodes.child.output.n }}` }),
        ["child"],
      ),
    );
    const id = await service.begin("flow_beside");
    // The branch behind the child goes on while the slow call is held.
    await until("the next call has arrived", () => gate.arrived.includes("/next?n=7"));
    expect(await service.status(id)).toBe("EXECUTING");
    expect(gate.dropped).toEqual([]);
    gate.open();
    expect((await service.untilEnd(id)).status).toBe("COMPLETED");
    expect((await service.row(id))["epoch"]).toBe(1);
  });

  it("an approval is asked, linked and answered while another branch executes", async () => {
    await service.flow(
      "flow_ask_beside",
      joined(fan(gate.node("slow"), node("ask", "approval", { message: "Go on?" })), gate.node("next"), [
        "ask",
        "approved",
      ]),
    );
    const id = await service.begin("flow_ask_beside");
    const { waits } = await until("the approval is pending", async () => {
      const { body } = await service.get(`/api/runs/${id}`, service.key);
      return body.data.waits && body.data;
    });
    expect(waits).toEqual([
      { nodeId: "ask", nodeKey: "ask", kind: "approval", message: "Go on?", resumeUrl: expect.any(String) },
    ]);
    expect(await service.status(id)).toBe("EXECUTING");
    expect((await service.resume(id, { decision: "approved" })).status).toBe(200);
    await until("the next call has arrived", () => gate.arrived.includes("/next"));
    expect(await service.status(id)).toBe("EXECUTING");
    gate.open();
    await service.untilEnd(id);
    expect((await service.row(id))["epoch"]).toBe(1);
  });

  it("a wait begins beside a slow call and the run pauses when only it is left", async () => {
    await service.flow("flow_wait_beside", fan(gate.node("slow"), node("nap", "wait", { duration: "1h" })));
    const id = await service.begin("flow_wait_beside");
    await until(
      "the wait is registered",
      async () => (await service.rows(`SELECT FROM run_waits WHERE run_id = $1`, id)).length === 1,
    );
    expect(await service.status(id)).toBe("EXECUTING");
    // As long as it says, by the clock of the database.
    expect(
      await service.rows(
        `SELECT due_at - created_at = interval '1 hour' AS whole FROM run_waits WHERE run_id = $1`,
        id,
      ),
    ).toEqual([{ whole: true }]);
    gate.open();
    await service.untilStatus(id, "PAUSED");
    await service.rows(`UPDATE run_waits SET due_at = clock_timestamp() WHERE run_id = $1`, id);
    expect((await service.untilEnd(id)).status).toBe("COMPLETED");
    expect(gate.arrived).toEqual(["/slow"]);
  });

  it("many children of a loop are started together, each once", async () => {
    await service.flow("flow_many", {
      nodes: [
        { id: "start", type: "start", data: {} },
        node("each", "for-each", { items: Array.from({ length: 30 }, (_, n) => n), concurrency: 10 }),
        {
          ...node("child", "run-flow", { flowId: "flow_leaf", data: { n: "{{ item }}" } }),
          parentId: "each",
        },
        node("done", "return", { value: { all: "{{ nodes.each.items.output.n }}" } }),
      ],
      edges: [
        { id: "a", source: "start", target: "each" },
        { id: "b", source: "each", target: "done" },
      ],
    });
    const id = await service.begin("flow_many");
    const run = await service.untilEnd(id);
    expect(run.output).toEqual({ all: Array.from({ length: 30 }, (_, n) => n) });
    expect(await service.children(id)).toHaveLength(30);
    const records = await service.nodes(id);
    expect(records.filter(({ nodeId }) => nodeId === "child")).toHaveLength(30);
    expect(records.find(({ nodeKey }) => nodeKey === "child[4]")!["input"]).toMatchObject({
      flowId: "flow_leaf",
      data: { n: 4 },
    });
  });
});

describe("a run that the release before has paused", () => {
  it("goes on from its rows: the answers that are there, and the child that still runs", async () => {
    await service.flow(
      "flow_old",
      joined(
        fan(
          node("ask", "approval", { message: "?" }),
          node("child", "run-flow", { flowId: "flow_leaf", data: { n: 5 } }),
        ),
        node("done", "return", { value: { by: "{{ nodes.ask.by }}", n: "{{ nodes.child.output.n }}" } }),
        ["ask", "approved"],
        ["child"],
      ),
    );
    const id = await service.begin("flow_old", { delay: "1h" });
    const childId = await service.begin("flow_leaf", { delay: "1h", payload: { data: { n: 5 } } });
    await service.rows(
      `UPDATE runs SET parent_run_id = $1, parent_node_key = 'child', stage = 'queued', priority = 1 WHERE id = $2`,
      id,
      childId,
    );
    await service.rows(
      `INSERT INTO run_waits (organization_id, run_id, node_key, node_id, kind, message, child_run_id, answer, answered_at, created_at)
       VALUES ('org_run', $1, 'ask', 'ask', 'approval', '?', NULL, '{"decision":"approved","by":"ada"}', now(), now()),
              ('org_run', $1, 'child', 'child', 'run-flow', NULL, $2, NULL, NULL, now())`,
      id,
      childId,
    );
    await service.rows(`UPDATE runs SET stage = 'queued', epoch = 2, started_at = now() WHERE id = $1`, id);
    expect((await service.untilEnd(id)).output).toEqual({ by: "ada", n: 5 });
    expect(await service.children(id)).toHaveLength(1);
  });
});
