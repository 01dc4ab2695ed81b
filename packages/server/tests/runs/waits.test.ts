import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { chain, fan, node, type TestGraph, type TestNode } from "../support/runs-flows.ts";
import { type Gate, startGate } from "../support/runs-gate.ts";
import { type RunTestService, startRunService } from "../support/runs-service.ts";
import { until } from "../support/runs-until.ts";

let service: RunTestService;
let gate: Gate;
beforeAll(async () => {
  service = await startRunService({ concurrency: 20 });
  await service.flow("flow_leaf", chain(node("done", "return", { value: { n: "{{ data.n }}" } })));
  await service.flow("flow_long", chain(node("nap", "wait", { duration: "1h" })));
});
afterAll(() => service.stop());
beforeEach(async () => {
  await gate?.close();
  gate = await startGate();
});
afterAll(() => gate.close());

const rowsOf = async (query: string, ...values: unknown[]) =>
  (await service.database.pool.query(query, values)).rows;
const childrenOf = (runId: string) =>
  rowsOf(`SELECT id, status FROM runs WHERE parent_run_id = $1 ORDER BY id`, runId);
const untilChild = (runId: string, ...statuses: string[]) =>
  until(`${runId} has a child that is ${statuses.join(" or ")}`, async () =>
    (await childrenOf(runId)).find(({ status }) => statuses.includes(status)),
  );
const statusOf = async (runId: string) => (await service.row(runId))["status"];
const nodesOf = async (runId: string): Promise<Record<string, any>[]> =>
  (await service.get(`/api/runs/${runId}/nodes`, service.key)).body.data;
const resume = (runId: string, body: object) =>
  service.send("POST", `/api/runs/${runId}/resume`, { key: service.key, body });

function joined(graph: TestGraph, last: TestNode, ...from: [string, string?][]): TestGraph {
  const edges = from.map(([source, sourceHandle], at) => ({
    id: `${last.id}${at}`,
    source,
    target: last.id,
    ...(sourceHandle && { sourceHandle }),
  }));
  return { nodes: [...graph.nodes, last], edges: [...graph.edges, ...edges] };
}

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
    expect(await statusOf(id)).toBe("EXECUTING");
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
    expect(await statusOf(id)).toBe("EXECUTING");
    expect((await resume(id, { decision: "approved" })).status).toBe(200);
    await until("the next call has arrived", () => gate.arrived.includes("/next"));
    expect(await statusOf(id)).toBe("EXECUTING");
    gate.open();
    await service.untilEnd(id);
    expect((await service.row(id))["epoch"]).toBe(1);
  });

  it("a wait begins beside a slow call and the run pauses when only it is left", async () => {
    await service.flow("flow_wait_beside", fan(gate.node("slow"), node("nap", "wait", { duration: "1h" })));
    const id = await service.begin("flow_wait_beside");
    await until(
      "the wait is registered",
      async () => (await rowsOf(`SELECT FROM run_waits WHERE run_id = $1`, id)).length === 1,
    );
    expect(await statusOf(id)).toBe("EXECUTING");
    // As long as it says, by the clock of the database.
    expect(
      await rowsOf(
        `SELECT due_at - created_at = interval '1 hour' AS whole FROM run_waits WHERE run_id = $1`,
        id,
      ),
    ).toEqual([{ whole: true }]);
    gate.open();
    await service.untilStatus(id, "PAUSED");
    await rowsOf(`UPDATE run_waits SET due_at = clock_timestamp() WHERE run_id = $1`, id);
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
    expect(await childrenOf(id)).toHaveLength(30);
    const records = await nodesOf(id);
    expect(records.filter(({ nodeId }) => nodeId === "child")).toHaveLength(30);
    expect(records.find(({ nodeKey }) => nodeKey === "child[4]")!["input"]).toMatchObject({
      flowId: "flow_leaf",
      data: { n: 4 },
    });
  });
});

describe("a child that fails", () => {
  beforeAll(async () => {
    await service.flow("flow_bad", chain(node("no", "fail", { message: "no {{ data.n }}" })));
  });

  it("is started anew by each attempt of its node, and no more", async () => {
    const retry = { retry: { maxAttempts: 3, backoffSeconds: 0 }, onError: "continue" };
    await service.flow("flow_retried", chain(node("child", "run-flow", { flowId: "flow_bad" }, retry)));
    const id = await service.begin("flow_retried");
    const run = await service.untilEnd(id);
    expect(run.status).toBe("COMPLETED");
    expect(run.output.child.error.message).toContain("ended FAILED: no");
    expect(await childrenOf(id)).toHaveLength(3);
    expect(await rowsOf(`SELECT attempt FROM run_waits WHERE run_id = $1 ORDER BY 1`, id)).toEqual([
      { attempt: 1 },
      { attempt: 2 },
      { attempt: 3 },
    ]);
  });

  it("is started once in a loop that goes on, through all its pauses", async () => {
    await service.flow("flow_bad_loop", {
      nodes: [
        { id: "start", type: "start", data: {} },
        node("each", "for-each", { items: [1, 2, 3, 4, 5], concurrency: 2, onItemError: "continue" }),
        { ...node("child", "run-flow", { flowId: "flow_bad", data: { n: "{{ item }}" } }), parentId: "each" },
      ],
      edges: [{ id: "a", source: "start", target: "each" }],
    });
    const id = await service.begin("flow_bad_loop");
    const run = await service.untilEnd(id);
    expect(run.status).toBe("COMPLETED");
    expect(run.output.each.errors).toHaveLength(5);
    expect(await childrenOf(id)).toHaveLength(5);
  });
});

describe("what has been begun has happened", () => {
  it("a child that nobody waits for exists although another branch returns at once", async () => {
    await service.flow(
      "flow_return",
      fan(
        node("fire", "run-flow", { flowId: "flow_leaf", wait: false }),
        // Its input is evaluated in another process, and takes its time.
        node("later", "run-flow", {
          flowId: "flow_leaf",
          wait: false,
          data: { n: "{{ $sum([1..1000].($sum([1..100]))) }}" },
        }),
        node("done", "return", { value: { ok: true } }),
      ),
    );
    const id = await service.begin("flow_return");
    expect((await service.untilEnd(id)).output).toEqual({ ok: true });
    expect(await childrenOf(id)).toHaveLength(2);
    await until("both children have ended", async () =>
      (await childrenOf(id)).every(({ status }) => status === "COMPLETED"),
    );
  });

  it("a child that nobody waits for outlives a parent that fails", async () => {
    await service.flow(
      "flow_fire_fail",
      chain(
        node("fire", "run-flow", { flowId: "flow_long", wait: false }),
        node("stop", "fail", { message: "enough" }),
      ),
    );
    const id = await service.begin("flow_fire_fail");
    expect((await service.untilEnd(id)).status).toBe("FAILED");
    const child = await untilChild(id, "PAUSED");
    expect(await statusOf(child.id)).toBe("PAUSED");
  });
});

describe("a parent that ends", () => {
  const parents = async (name: string, ...rest: TestNode[]) => {
    const call = (id: string, flowId: string, more: object = {}) => node(id, "run-flow", { flowId, ...more });
    await service.flow(`${name}_middle`, chain(call("inner", "flow_long")));
    await service.flow(
      name,
      fan(
        call("waited", `${name}_middle`),
        call("kept", "flow_long", { onParentEnd: "leave" }),
        call("fired", "flow_long", { wait: false }),
        ...rest,
      ),
    );
    const id = await service.begin(name);
    const children = await until("grandchildren and children are paused", async () => {
      const [rows] = [
        await rowsOf(
          `SELECT c.id, c.flow_id, c.parent_node_key, c.status, g.id AS inner_id, g.status AS inner_status FROM runs c
             LEFT JOIN runs g ON g.parent_run_id = c.id WHERE c.parent_run_id = $1`,
          id,
        ),
      ];
      const by = new Map(rows.map((row) => [row.parent_node_key, row]));
      const paused = ["waited", "kept", "fired"].every((key) => by.get(key)?.status === "PAUSED");
      return paused && by.get("waited")!.inner_status === "PAUSED" && by;
    });
    return {
      id,
      waited: children.get("waited")!.id as string,
      inner: children.get("waited")!.inner_id as string,
      kept: children.get("kept")!.id as string,
      fired: children.get("fired")!.id as string,
    };
  };
  const expectFamily = async ({ waited, inner, kept, fired }: Record<string, string>) => {
    await until(
      "the waited-for ones are canceled",
      async () => (await statusOf(waited!)) === "CANCELED" && (await statusOf(inner!)) === "CANCELED",
    );
    expect([await statusOf(kept!), await statusOf(fired!)]).toEqual(["PAUSED", "PAUSED"]);
  };

  it("by a cancel takes the children it waits for with it, theirs too, and leaves the others", async () => {
    const family = await parents("flow_family_cancel", gate.node("slow"));
    await service.send("POST", `/api/runs/${family.id}/cancel`, { key: service.key });
    expect(await statusOf(family.id)).toBe("CANCELED");
    await expectFamily(family);
  });

  it("by a failure does the same", async () => {
    const family = await parents("flow_family_fail", gate.node("slow"));
    gate.letGo(500);
    expect((await service.untilEnd(family.id)).status).toBe("FAILED");
    await expectFamily(family);
  });

  it("by its time limit does the same", async () => {
    const family = await parents("flow_family_time", gate.node("slow"));
    await rowsOf(
      `UPDATE runs SET deadline_at = clock_timestamp() - interval '1 minute' WHERE id = $1`,
      family.id,
    );
    expect((await service.untilEnd(family.id)).status).toBe("TIMED_OUT");
    await expectFamily(family);
  });

  it("by a crash does the same", async () => {
    const family = await parents("flow_family_crash", gate.node("slow"));
    await rowsOf(
      `UPDATE runs SET recoveries = 2, process_id = gen_random_uuid(), epoch = epoch + 1 WHERE id = $1`,
      family.id,
    );
    expect((await service.untilEnd(family.id)).status).toBe("CRASHED");
    await expectFamily(family);
  });
});

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
    const child = await untilChild(id, "PAUSED");
    await service.untilStatus(id, "PAUSED");
    await rowsOf(
      `UPDATE run_waits SET due_at = clock_timestamp(), expires_at = clock_timestamp() WHERE run_id = $1`,
      id,
    );
    const run = await service.untilEnd(id);
    expect(run.output.child.error).toEqual({
      name: "NodeTimeout",
      message: "The node took longer than 3600 seconds.",
    });
    await until("the child is canceled", async () => (await statusOf(child.id)) === "CANCELED");
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
    expect((await resume(run.id, { decision: "approved" })).status).toBe(400);
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
    await rowsOf(
      `UPDATE run_waits SET due_at = clock_timestamp(), expires_at = clock_timestamp() WHERE run_id = $1 AND kind = 'container'`,
      id,
    );
    // Not because the run has ended: it goes on.
    await until("both children are canceled", async () =>
      (await childrenOf(id)).every(({ status }) => status === "CANCELED"),
    );
    await gate.untilArrived(1);
    expect(await statusOf(id)).toBe("EXECUTING");
    gate.open();
    await service.untilEnd(id);
    expect(gate.arrived).toEqual(["/behind"]);
    const each = (await nodesOf(id)).find(({ nodeKey }) => nodeKey === "each")!;
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

describe("an answer names its wait", () => {
  beforeAll(async () => {
    await service.flow("flow_two_asks", {
      nodes: [
        { id: "start", type: "start", data: {} },
        node("each", "for-each", { items: [1, 2], concurrency: 2 }),
        { ...node("ask", "approval", { message: "Item {{ item }}?" }), parentId: "each" },
        node("done", "return", { value: { all: "{{ nodes.each.items.decision }}" } }),
      ],
      edges: [
        { id: "a", source: "start", target: "each" },
        { id: "b", source: "each", target: "done" },
      ],
    });
  });
  const approvals = async () => {
    const id = await service.begin("flow_two_asks");
    const { waits } = await service.untilStatus(id, "PAUSED");
    return { id, waits: waits as { nodeKey: string; message: string; resumeUrl: string }[] };
  };

  it("400 with the list where several are pending and none is named, by neither key nor id", async () => {
    const { id } = await approvals();
    for (const body of [{ decision: "approved" }, { decision: "approved", nodeId: "ask" }]) {
      const { status, body: refused } = await resume(id, body);
      expect([status, refused.code]).toEqual([400, "approval_not_named"]);
      expect(refused.messageParams).toEqual({ runId: id, pending: "ask[0], ask[1]" });
      expect(refused.issues.map(({ message }: { message: string }) => message)).toEqual(["ask[0]", "ask[1]"]);
    }
    expect(await statusOf(id)).toBe("PAUSED");
  });

  it("each by its key, once; the second answer to one is 400 although the other is pending", async () => {
    const { id } = await approvals();
    expect((await resume(id, { decision: "rejected", nodeId: "ask[1]" })).status).toBe(200);
    const again = await resume(id, { decision: "approved", nodeId: "ask[1]" });
    expect([again.status, again.body.code]).toEqual([400, "run_not_resumable"]);
    expect((await resume(id, { decision: "approved", nodeId: "ask[0]" })).status).toBe(200);
    expect((await service.untilEnd(id)).output).toEqual({ all: ["approved", "rejected"] });
  });

  it("each by a link of its own", async () => {
    const { id, waits } = await approvals();
    expect(waits.map(({ nodeKey, message }) => [nodeKey, message])).toEqual([
      ["ask[0]", "Item 1?"],
      ["ask[1]", "Item 2?"],
    ]);
    const [first, second] = waits.map(({ resumeUrl }) => new URL(resumeUrl).pathname);
    const answer = (path: string, decision: string) => service.send("POST", path, { body: { decision } });
    expect((await answer(second!, "rejected")).status).toBe(200);
    expect((await answer(second!, "approved")).status).toBe(400);
    expect((await answer(first!, "approved")).status).toBe(200);
    expect((await service.untilEnd(id)).output).toEqual({ all: ["approved", "rejected"] });
  });

  it("one that was sent twice without a name does not decide what is asked next", async () => {
    await service.flow(
      "flow_ask_ask",
      joined(
        joined(
          chain(node("first", "approval", { message: "1?" })),
          node("second", "approval", { message: "2?" }),
          ["first", "approved"],
        ),
        node("done", "return", { value: { ok: true } }),
        ["second", "approved"],
      ),
    );
    const id = await service.begin("flow_ask_ask");
    await service.untilStatus(id, "PAUSED");
    expect((await resume(id, { decision: "approved" })).status).toBe(200);
    await until("the second question is asked", async () => {
      const { body } = await service.get(`/api/runs/${id}`, service.key);
      return body.data.pause?.nodeKey === "second";
    });
    const again = await resume(id, { decision: "approved" });
    expect([again.status, again.body.messageParams.pending]).toEqual([400, "second"]);
    expect((await resume(id, { decision: "approved", nodeId: "second" })).status).toBe(200);
    expect((await service.untilEnd(id)).output).toEqual({ ok: true });
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
    await rowsOf(
      `UPDATE runs SET parent_run_id = $1, parent_node_key = 'child', stage = 'queued', priority = 1 WHERE id = $2`,
      id,
      childId,
    );
    await rowsOf(
      `INSERT INTO run_waits (organization_id, run_id, node_key, node_id, kind, message, child_run_id, answer, answered_at, created_at)
       VALUES ('org_run', $1, 'ask', 'ask', 'approval', '?', NULL, '{"decision":"approved","by":"ada"}', now(), now()),
              ('org_run', $1, 'child', 'child', 'run-flow', NULL, $2, NULL, NULL, now())`,
      id,
      childId,
    );
    await rowsOf(`UPDATE runs SET stage = 'queued', epoch = 2, started_at = now() WHERE id = $1`, id);
    expect((await service.untilEnd(id)).output).toEqual({ by: "ada", n: 5 });
    expect(await childrenOf(id)).toHaveLength(1);
  });
});
