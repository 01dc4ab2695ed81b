import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addFlow, addKey, addUser } from "../support/workspace.ts";
import { chain, fan, node, type TestGraph, type TestNode } from "../support/runs-flows.ts";
import { type RunTestService, startRunService } from "../support/runs-service.ts";
import { startStormReceiver, type StormReceiver } from "./storm.ts";

let service: RunTestService;
let receiver: StormReceiver;
beforeAll(async () => {
  receiver = await startStormReceiver();
  service = await startRunService({ credits: 10_000, concurrency: 20 });
});
afterAll(async () => {
  await service.stop();
  await receiver.close();
});

/** An effect: a call of the receiver under the token of the run. */
const call = (id: string, effect = id, more: object = {}): TestNode =>
  node(id, "http-request", { url: `${receiver.url}/{{ data.token }}/${effect}`, expect: "2xx" }, more);
const inside = (parentId: string, child: TestNode): TestNode => ({ ...child, parentId });

async function started(flowId: string, graph: TestGraph, token: string, status: string, body: object = {}) {
  await service.flow(flowId, graph);
  const id = await service.begin(flowId, { payload: { data: { token } }, ...body });
  expect((await service.untilEnd(id)).status).toBe(status);
  return id;
}
const ask = (runId: string, body: object = {}) =>
  service.send("POST", `/api/runs/${runId}/fork`, { key: service.key, body });
async function fork(runId: string, body: object = {}) {
  const answer = await ask(runId, body);
  expect(answer.body).toMatchObject({ success: true });
  const run = await service.untilEnd(answer.body.data.id);
  return { ...run, answer: answer.body.data };
}
const nodesOf = async (runId: string) =>
  (await service.get(`/api/runs/${runId}/nodes`, service.key)).body.data as {
    nodeKey: string;
    status: string;
    output: Record<string, unknown>;
  }[];
const spentBy = async (runId: string) =>
  Number(
    (
      await service.database.pool.query(
        `SELECT -sum(amount) AS spent FROM credit_entries WHERE run_id = $1`,
        [runId],
      )
    ).rows[0].spent,
  );

describe("a retry", () => {
  it("executes what failed and what is behind it, copies the rest as it was, and costs only that", async () => {
    const graph = chain(
      node("dice", "set", { values: { n: "{{ $random() }}", z: 1, a: 2 } }),
      call("charge"),
      call("mail"),
      node("done", "return", {
        value: { n: "{{ nodes.dice.n }}", charged: "{{ nodes.charge.body.effect }}" },
      }),
    );
    receiver.failOnce("retry", "mail");
    const id = await started("flow_retry", graph, "retry", "FAILED", { tags: ["shop"], isTest: true });
    const run = await fork(id);
    expect(receiver.take("retry")).toEqual(["charge", "mail"]);
    const dice = (await nodesOf(id)).find(({ nodeKey }) => nodeKey === "dice")!;
    expect(run).toMatchObject({
      status: "COMPLETED",
      tags: ["shop"],
      payload: { data: { token: "retry" }, triggerSource: "api" },
      output: { n: dice.output["n"], charged: "charge" },
      forkedFrom: { runId: id, nodeKey: "mail" },
      answer: { taskIdentifier: "execute-flow", forkedFrom: { runId: id, nodeKey: "mail" }, warnings: [] },
    });
    const old = (await service.get(`/api/runs/${id}`, service.key)).body.data;
    expect(old.forks).toEqual([{ runId: run.id, nodeKey: "mail", createdAt: run.createdAt }]);
    // mail and done.
    expect(await spentBy(run.id)).toBe(2);
    expect((await service.row(run.id))["is_test"]).toBe(true);
    const texts = `SELECT record::text AS text FROM run_records('org_run', $1) WHERE node_key IN ('dice', 'charge') ORDER BY 1`;
    const [before, after] = await Promise.all(
      [id, run.id].map((one) => service.database.pool.query(texts, [one])),
    );
    expect(after!.rows).toEqual(before!.rows);
  });

  it("of a run that was cancelled goes on where it stood, and asks again what nobody has answered", async () => {
    const graph = chain(call("before"), node("ask", "approval", { message: "Go?" }));
    await service.flow("flow_asked", graph);
    const id = await service.begin("flow_asked", { payload: { data: { token: "asked" } } });
    await service.untilStatus(id, "PAUSED");
    const refused = await ask(id);
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({
      code: "run_not_forkable",
      messageParams: { runId: id, status: "PAUSED" },
    });
    await service.send("POST", `/api/runs/${id}/cancel?paused=true`, { key: service.key });
    const { body } = await ask(id);
    await service.untilStatus(body.data.id, "PAUSED");
    expect(receiver.take("asked")).toEqual(["before"]);
    await service.send("POST", `/api/runs/${body.data.id}/resume`, {
      key: service.key,
      body: { decision: "approved" },
    });
    expect((await service.untilEnd(body.data.id)).status).toBe("COMPLETED");
  });

  it("of a run that was cancelled before it began is the whole of it", async () => {
    await service.flow("flow_never", chain(call("only")));
    const id = await service.begin("flow_never", { payload: { data: { token: "never" } }, delay: "1h" });
    await service.send("POST", `/api/runs/${id}/cancel`, { key: service.key });
    expect(await fork(id)).toMatchObject({ status: "COMPLETED", forkedFrom: { nodeKey: "start" } });
    expect(receiver.take("never")).toEqual(["only"]);
  });

  it("keeps rounds whose failure was handled, and begins those again that were not", async () => {
    const loop = (onItemError: string) => ({
      nodes: [
        { id: "start", type: "start", data: {} },
        node("loop", "for-each", { items: "{{ [0, 1, 2] }}", onItemError }),
        inside("loop", call("one", "one{{ item }}")),
        call("after"),
      ],
      edges: [
        { id: "a", source: "start", target: "loop" },
        { id: "b", source: "loop", target: "after" },
      ],
    });
    receiver.failOnce("handled", "one1");
    receiver.failOnce("handled", "after");
    const handled = await fork(await started("flow_handled", loop("continue"), "handled", "FAILED"));
    expect(handled).toMatchObject({ status: "COMPLETED", forkedFrom: { nodeKey: "after" } });
    expect(receiver.take("handled")).toEqual(["one0", "one2", "after"]);
    receiver.failOnce("open", "one1");
    const open = await fork(await started("flow_open", loop("fail"), "open", "FAILED"));
    expect(open).toMatchObject({ status: "COMPLETED", forkedFrom: { nodeKey: "one[1]" } });
    expect(receiver.take("open")).toEqual(["one0", "one1", "one2", "after"]);
  });

  it("goes on inside a sub-flow, two levels down, and repeats nothing of it", async () => {
    const callFlow = (id: string, flowId: string) =>
      node(id, "run-flow", { flowId, data: { token: "{{ data.token }}" } });
    await service.flow("flow_leaf", chain(call("leaf1"), call("leaf2")));
    await service.flow("flow_stem", chain(call("stem1"), callFlow("leaf", "flow_leaf"), call("stem2")));
    receiver.failOnce("deep", "leaf2");
    const id = await started(
      "flow_tree",
      chain(call("root"), callFlow("stem", "flow_stem")),
      "deep",
      "FAILED",
    );
    const run = await fork(id);
    expect(run.status).toBe("COMPLETED");
    expect(receiver.take("deep")).toEqual(["root", "stem1", "leaf1", "leaf2", "stem2"]);
    const { rows } = await service.database.pool.query(
      `SELECT r.flow_id, r.parent_run_id IS NOT NULL AS is_child, f.from_node_key FROM runs r JOIN run_forks f ON f.run_id = r.id
        WHERE r.flow_id IN ('flow_leaf', 'flow_stem') ORDER BY 1`,
    );
    expect(rows).toEqual([
      { flow_id: "flow_leaf", is_child: true, from_node_key: "leaf2" },
      { flow_id: "flow_stem", is_child: true, from_node_key: "leaf" },
    ]);
    // Named, the node begins a new run of the sub-flow.
    expect((await fork(id, { from: "stem" })).status).toBe("COMPLETED");
    expect(receiver.take("deep")).toEqual(["stem1", "leaf1", "leaf2", "stem2"]);
  });
});

describe("a fork", () => {
  it("with given outputs executes neither these nodes nor what is not behind `from`", async () => {
    const graph = chain(
      call("quote"),
      node("sum", "set", { values: { from: "{{ nodes.quote.body.effect }}" } }),
      call("send", "send-{{ nodes.sum.from }}"),
    );
    const id = await started("flow_given", graph, "given", "COMPLETED");
    expect(receiver.take("given")).toEqual(["quote", "send-quote"]);
    const run = await fork(id, { from: "sum", outputs: { quote: { body: { effect: "mine" } } } });
    expect(run.status).toBe("COMPLETED");
    expect(receiver.take("given")).toEqual(["send-mine"]);
    // A value for the node itself: it does not execute, those behind it do.
    await fork(id, { from: "sum", outputs: { sum: { from: "hand" } } });
    expect(receiver.take("given")).toEqual(["send-hand"]);
  });

  it("takes data, inputs, trigger and tags instead of those of the run", async () => {
    const graph = chain(
      node("note", "template", { text: "plain" }),
      node("done", "return", {
        value: { token: "{{ data.token }}", name: "{{ trigger.body.name }}", note: "{{ nodes.note.text }}" },
      }),
    );
    const id = await started("flow_replaced", graph, "old", "COMPLETED");
    const run = await fork(id, {
      data: { token: "new" },
      trigger: { body: { name: "Ada" } },
      inputs: { note_text: "other" },
      tags: ["again", "again"],
    });
    expect(run.output).toEqual({ token: "new", name: "Ada", note: "other" });
    expect(run).toMatchObject({ tags: ["again"], forkedFrom: { nodeKey: "start" } });
  });

  it("checks a trigger that it is given against the flow's input", async () => {
    await addFlow(service.database.pool, "org_run", "flow_input", {
      graph: chain(node("done", "return", { value: { name: "{{ trigger.body.name }}" } })),
      settings: { input: { type: "object", properties: { name: { type: "string" } }, required: ["name"] } },
    });
    const id = await service.begin("flow_input", { payload: { trigger: { body: { name: "Ada" } } } });
    await service.untilEnd(id);
    const wrong = await ask(id, { trigger: { body: { name: 1 } } });
    expect([wrong.status, wrong.body.issues[0].path]).toEqual([400, ["trigger", "body", "name"]]);
    expect((await fork(id, { trigger: { body: { name: "Eve" } } })).output).toEqual({ name: "Eve" });
  });

  it("beside a branch copies that branch, and stops at what it is told to begin with", async () => {
    const id = await started("flow_sides", fan(call("left"), call("right")), "sides", "COMPLETED");
    receiver.take("sides");
    expect((await fork(id, { from: "left" })).status).toBe("COMPLETED");
    expect(receiver.take("sides")).toEqual(["left"]);
  });

  it("runs another version, drops values that it has no node for, and says so", async () => {
    const id = await started(
      "flow_versions",
      chain(call("one"), call("gone"), call("two")),
      "v",
      "COMPLETED",
    );
    receiver.take("v");
    const newer = chain(call("one"), call("added"), call("two"));
    await service.database.pool.query(
      `INSERT INTO flow_versions (organization_id, flow_id, version, hash, graph) VALUES ('org_run', 'flow_versions', '20260102.1', 'new', $1)`,
      [newer],
    );
    await service.database.pool.query(`UPDATE flows SET version = '20260102.1' WHERE id = 'flow_versions'`);
    expect(await fork(id, { from: "two" })).toMatchObject({ version: "20260101.1" });
    expect(receiver.take("v")).toEqual(["two"]);
    const run = await fork(id, { from: "two", version: "20260102.1" });
    expect(run).toMatchObject({ version: "20260102.1", status: "COMPLETED" });
    expect(run.answer.warnings).toEqual([
      'The node "gone" is not in version 20260102.1 as it was, so its values were dropped.',
    ]);
    expect(receiver.take("v")).toEqual(["added", "two"]);
    const unknown = await ask(id, { version: "20990101.1" });
    expect([unknown.status, unknown.body.issues[0].path]).toEqual([400, ["version"]]);
  });

  it("with an idempotency key is made once", async () => {
    const id = await started("flow_once", chain(call("only")), "once", "COMPLETED");
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => ask(id, { idempotencyKey: "k", from: "only" })),
    );
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
    expect(answers.every(({ body }) => body.data.forkedFrom.nodeKey === "only")).toBe(true);
    await service.untilEnd(answers[0]!.body.data.id);
    expect(receiver.take("once")).toEqual(["only", "only"]);
  });

  it("is refused with the reason", async () => {
    const loop = {
      nodes: [
        { id: "start", type: "start", data: {} },
        node("loop", "for-each", { items: "{{ [0, 1] }}" }),
        inside("loop", call("in", "in{{ item }}")),
      ],
      edges: [{ id: "a", source: "start", target: "loop" }],
    };
    const id = await started("flow_refused", loop, "refused", "COMPLETED");
    const issueOf = async (body: object) => (await ask(id, body)).body.issues?.[0];
    expect(await issueOf({ from: "nowhere" })).toMatchObject({ path: ["from"] });
    expect(await issueOf({ from: "in" })).toMatchObject({ path: ["from"] });
    expect(await issueOf({ from: "in[7]" })).toMatchObject({
      message: "names a round that the run has not begun: in[7]",
    });
    expect(await issueOf({ from: "failed" })).toMatchObject({ path: ["from"] });
    expect(await issueOf({ outputs: { start: {} } })).toMatchObject({ path: ["outputs", "start"] });
    expect(await issueOf({ form: "loop" })).toBeDefined();
    expect((await service.send("POST", `/api/runs/${id}/fork`, { key: service.key })).status).toBe(201);
    await addUser(service.database.pool, "vera", { org_run: "viewer" });
    const { key } = await addKey(service.database.pool, { organizationId: "org_run", userId: "vera" });
    expect((await service.send("POST", `/api/runs/${id}/fork`, { key, body: {} })).status).toBe(403);
  });
});

it("what was committed before the answer got lost is not forked twice", async () => {
  const id = await started("flow_lost", chain(call("effect")), "lost", "COMPLETED");
  const { body } = await ask(id, { from: "effect" });
  const { rows } = await service.database.pool.query(
    `SELECT outcome, winner FROM fork_runs(json_build_object('organization_id', 'org_run', 'again', true, 'forks',
       json_build_array(json_build_object('run', json_build_object('id', $1::text), 'from_run_id', $2::text))))`,
    [body.data.id, id],
  );
  expect(rows).toEqual([{ outcome: "known", winner: body.data.id }]);
});
