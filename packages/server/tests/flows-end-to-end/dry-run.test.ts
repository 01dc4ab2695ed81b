import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { startLoopbackServer } from "../support/loopback-server.ts";
import { flowOf, report, type TestNode, withFile } from "./dry-run.ts";

type Options = Parameters<typeof report>[1];

const run = (documents: readonly object[], options: Options = {}) =>
  withFile(documents, (path) => report([path], options));

const done = (value: unknown): TestNode => ({ id: "done", type: "return", data: { inputs: { value } } });

const waits = flowOf(
  "flow_waits",
  [
    { id: "pause", type: "wait", data: { inputs: { duration: "1h" } } },
    done({ until: "{{ nodes.pause.waitedUntil }}" }),
  ],
  ["start pause", "pause done"],
);

describe("a dry run", () => {
  it("tells each node when it begins and when it has ended, in order", { retry: 2 }, async () => {
    const flow = flowOf(
      "flow_a",
      [
        { id: "log", type: "code", data: { inputs: { source: "console.log('seen'); return { a: 1 };" } } },
        done({}),
      ],
      ["start log", "log done"],
    );
    const { nodes, started } = await run([flow]);
    expect(started).toMatchObject({ flowId: "flow_a", runId: expect.stringMatching(/^run_/) });
    expect(nodes.map(({ nodeKey, status }) => `${nodeKey} ${status}`)).toEqual([
      "start EXECUTING",
      "start COMPLETED",
      "log EXECUTING",
      "log COMPLETED",
      "done EXECUTING",
      "done COMPLETED",
    ]);
    expect(nodes[3]).toMatchObject({
      output: { a: 1 },
      log: ["seen"],
      durationMs: expect.any(Number),
      attempts: 1,
    });
  });

  it("goes on after a wait from what had been done, and says when it would have", async () => {
    const effects: string[] = [];
    const server = await startLoopbackServer((request, response) => {
      effects.push(request.url ?? "");
      response.end("{}");
    });
    const flow = flowOf(
      "flow_a",
      [
        { id: "fetch", type: "http-request", data: { inputs: { url: `${server.url}/once` } } },
        { id: "pause", type: "wait", data: { inputs: { duration: "1h" } } },
        done({ status: "{{ nodes.fetch.status }}" }),
      ],
      ["start fetch", "fetch pause", "pause done"],
    );
    const { result, output } = await run([flow]);
    await server.close();
    expect(result).toMatchObject({ status: "COMPLETED", output: { status: 200 } });
    expect(effects).toEqual(["/once"]);
    expect(Date.parse((output("pause") as { waitedUntil: string }).waitedUntil)).toBeGreaterThan(
      Date.now() + 3_500_000,
    );
  });

  it("ends with the text of an answer that is missing", async () => {
    const answers = {
      wait: () => Promise.reject(new Error("add --skip-waits")),
      approval: () => Promise.reject(new Error("add --approve")),
    };
    await expect(run([waits], { answers })).rejects.toThrow("add --skip-waits");
  });

  it("is canceled by its signal, in a node and in a wait", async () => {
    const silent = await startLoopbackServer(() => {});
    const flow = flowOf(
      "flow_a",
      [{ id: "fetch", type: "http-request", data: { inputs: { url: silent.url } } }],
      ["start fetch"],
    );
    const inNode = new AbortController();
    const onNode = ({ nodeKey }: { nodeKey: string }) => {
      if (nodeKey === "fetch") setImmediate(() => inNode.abort());
    };
    expect((await run([flow], { signal: inNode.signal, onNode })).result.status).toBe("CANCELED");
    await silent.close();
    const inWait = new AbortController();
    const answers = {
      approval: () => Promise.reject(new Error("not asked")),
      wait: () => {
        setImmediate(() => inWait.abort());
        return delay(60_000, undefined, { signal: inWait.signal });
      },
    };
    expect((await run([waits], { signal: inWait.signal, answers })).result.status).toBe("CANCELED");
  });

  it("fails with the node's own error, and a sub-flow's failure is its parent's", async () => {
    const child = flowOf(
      "flow_child",
      [{ id: "no", type: "fail", data: { inputs: { message: "Not today." } } }],
      ["start no"],
    );
    const parent = flowOf(
      "flow_parent",
      [{ id: "child", type: "run-flow", data: { inputs: { flowId: "flow_child" } } }, done({})],
      ["start child", "child done"],
    );
    expect((await run([child])).result).toMatchObject({
      status: "FAILED",
      error: { nodeId: "no", message: "Not today." },
    });
    expect((await run([parent, child], { flowId: "flow_parent" })).result).toMatchObject({
      status: "FAILED",
      error: { nodeId: "child", message: expect.stringContaining("Not today.") },
    });
  });

  it("waits for a sub-flow that its parent does not wait for, and does not fail with it", async () => {
    const child = flowOf(
      "flow_child",
      [{ id: "no", type: "fail", data: { inputs: { message: "No." } } }],
      ["start no"],
    );
    const parent = flowOf(
      "flow_parent",
      [
        { id: "child", type: "run-flow", data: { inputs: { flowId: "flow_child", wait: false } } },
        done({ status: "{{ nodes.child.status }}" }),
      ],
      ["start child", "child done"],
    );
    const { result, nodes } = await run([parent, child], { flowId: "flow_parent" });
    expect(result).toMatchObject({ status: "COMPLETED", output: { status: "WAITING" } });
    expect(nodes.some(({ nodeKey, status }) => nodeKey === "no" && status === "FAILED")).toBe(true);
  });

  it("ends flows that call each other for ever, and refuses targets that cannot run", async () => {
    const self = flowOf(
      "flow_self",
      [{ id: "again", type: "run-flow", data: { inputs: { flowId: "flow_self" } } }, done({})],
      ["start again", "again done"],
    );
    expect((await run([self])).result).toMatchObject({
      status: "FAILED",
      error: { message: expect.stringContaining("deep") },
    });
    const calling = (flowId: string) => ({ flowId: "flow_caller", data: { flowId } });
    const caller = flowOf(
      "flow_caller",
      [{ id: "call", type: "run-flow", data: { inputs: { flowId: "{{ data.flowId }}" } } }, done({})],
      ["start call", "call done"],
    );
    const draft = flowOf("flow_draft", [{ id: "odd", type: "nonsense" }], ["start odd"]);
    const foreign = flowOf("flow_foreign", [done({})], ["start done"], "org_b");
    const documents = [caller, draft, foreign];
    expect((await run(documents, calling("flow_draft"))).result).toMatchObject({
      error: { name: "FlowInvalid", message: expect.stringContaining("nonsense") },
    });
    for (const flowId of ["flow_foreign", "flow_nowhere"])
      expect((await run(documents, calling(flowId))).result).toMatchObject({
        error: { name: "FlowNotFound" },
      });
  });

  it("chats with agents of the provider demo, in one session a key, and says why not with others", async () => {
    const agent = (id: string, provider: object) => ({
      kind: "Agent",
      id,
      organizationId: "org_a",
      name: id,
      design: { provider },
    });
    const flow = flowOf(
      "flow_a",
      [
        ...["one", "two"].map((id) => ({
          id,
          type: "agent",
          data: { inputs: { agentId: "{{ data.agentId }}", message: "Hello", sessionKey: "{{ data.key }}" } },
        })),
        done({ text: "{{ nodes.one.text }}", same: "{{ nodes.one.sessionId = nodes.two.sessionId }}" }),
      ],
      ["start one", "one two", "two done"],
    );
    const provider = { type: "openai-compatible", baseUrl: "http://127.0.0.1:1/v1", model: "m" };
    const documents = [flow, agent("agent_demo", { type: "demo" }), agent("agent_model", provider)];
    const chat = async (agentId: string, key: string | null) =>
      (await run(documents, { data: { agentId, key } })).result;
    expect(await chat("agent_demo", "k")).toMatchObject({
      output: { same: true, text: expect.stringContaining('You said: "Hello"') },
    });
    expect(await chat("agent_demo", null)).toMatchObject({ output: { same: false } });
    expect(await chat("agent_model", null)).toMatchObject({
      error: { name: "AgentUnavailable", message: expect.stringContaining("demo") },
    });
    expect(await chat("agent_nobody", null)).toMatchObject({ error: { name: "AgentNotFound" } });
  });

  it("says which flows there are where none was chosen, and why one cannot run", async () => {
    const other = flowOf("flow_other", [done({})], ["start done"]);
    await expect(run([waits, other])).rejects.toThrow("--flow: flow_waits, flow_other");
    await expect(run([waits], { flowId: "flow_x" })).rejects.toThrow(
      'no flow "flow_x" in these files, only: flow_waits',
    );
    const draft = flowOf("flow_draft", [{ id: "odd", type: "nonsense" }], ["start odd"]);
    await expect(run([draft])).rejects.toThrow(/The flow flow_draft cannot run:\n {2}.*nonsense/);
    await expect(run([{ kind: "Organization", id: "org_a", name: "A" }])).rejects.toThrow(
      "no document of the kind Flow",
    );
    await expect(run([waits], { inputs: { pause_duration: "soon" } })).rejects.toThrow(
      /pause_duration: .*30s/,
    );
    expect((await run([waits], { inputs: { nothing: 1 } })).started?.warnings.join()).toContain('"nothing"');
  });
});
