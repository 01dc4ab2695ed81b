import { afterAll, beforeAll, expect, it } from "vitest";
import { addEndpoint } from "../events/delivery.ts";
import { readEvents } from "../support/event-reader.ts";
import { type LoopbackServer, startLoopbackServer } from "../support/loopback-server.ts";
import { chain, node } from "../support/runs-flows.ts";
import { startGate } from "../support/runs-gate.ts";
import { type RunTestService, startRunService } from "../support/runs-service.ts";
import { addFlow, addKey, addOrganization, addUser } from "../support/workspace.ts";
import { report, withFile } from "./dry-run.ts";

let service: RunTestService;
let server: LoopbackServer;
const received: string[] = [];
beforeAll(async () => {
  server = await startLoopbackServer((request, response) => {
    request.setEncoding("utf8").on("data", (text: string) => received.push(text));
    request.on("end", () =>
      response
        .setHeader("content-type", "application/json")
        .end(String.raw`{"half":"\ud83e","n\u0000l":"a\u0000b","fine":"🦆"}`),
    );
  });
  service = await startRunService();
  // Somebody listens, so that what is told of runs is written too.
  await addEndpoint(service.database.pool, { id: "whk_all", url: server.url, organizationId: "org_run" });
});
afterAll(async () => {
  await service.stop();
  await server.close();
});

const mended = { half: "\ufffd", "n\ufffdl": "a\ufffdb", fine: "🦆" };
const halves = String.raw`return { half: "\ud83e", ["n\0l"]: "a\0b", fine: "🦆" };`;

const half = `{"half": $split("🦆", "")[0]}`;

const recordsOf = async (runId: string) => {
  const { status, body } = await service.get(`/api/runs/${runId}/nodes`, service.key);
  expect(status).toBe(200);
  return Object.fromEntries(body.data.map((record: { nodeId: string }) => [record.nodeId, record]));
};

const outputs = [
  ["code", node("make", "code", { source: halves }), "{{ nodes.make }}"],
  ["another server", () => node("make", "http-request", { url: server.url }), "{{ nodes.make.body }}"],
  ["an expression", node("make", "transform", { expression: half }), "{{ nodes.make.value }}"],
] as const;

it.each(outputs)(
  "halves of characters and NUL out of %s become U+FFFD, and the log says so",
  async (what, made, value) => {
    const flowId = `flow_${what.replaceAll(" ", "_")}`;
    const make = typeof made === "function" ? made() : made;
    await service.flow(flowId, chain(make, node("done", "return", { value: { value } })));
    const run = await service.untilEnd(await service.begin(flowId, { maxAttempts: 3 }));
    const expected = what === "an expression" ? { half: "\ufffd" } : mended;
    expect([run.status, run.output]).toEqual(["COMPLETED", { value: expected }]);
    const { make: record } = await recordsOf(run.id);
    expect(record.log.at(-1)).toMatch(/^The output held NUL or half a character/);
  },
);

it("a number that JSON does not know is null for the next node too, as it is after a lost worker", async () => {
  const answers = await startLoopbackServer((_, response) => {
    response.setHeader("content-type", "application/json").end('{"large":1e400,"fine":1e300}');
  });
  await service.flow(
    "flow_large_number",
    chain(
      node("make", "http-request", { url: answers.url }),
      node("done", "return", {
        value: { isLarge: "{{ nodes.make.body.large != null }}", made: "{{ nodes.make.body }}" },
      }),
    ),
  );
  const run = await service.untilEnd(await service.begin("flow_large_number"));
  expect([run.status, run.output]).toEqual([
    "COMPLETED",
    { isLarge: false, made: { large: null, fine: 1e300 } },
  ]);
  const { make: record } = await recordsOf(run.id);
  expect(record.log.at(-1)).toMatch(/^The output held a number that JSON does not know/);
  await answers.close();
});

it("an input that an expression has cut through a character is sent, stored and logged whole", async () => {
  const cut = `{{ $split(data.duck, "")[0] }}`;
  await service.flow(
    "flow_cut",
    chain(
      node("keep", "store", { operation: "set", key: `k ${cut}`, value: { [`v`]: cut } }),
      node("send", "http-request", { url: server.url, method: "POST", body: { text: cut } }),
      node("ask", "template", { text: `say ${cut}` }),
      node("stop", "fail", { message: `no ${cut}` }),
    ),
  );
  received.length = 0;
  const run = await service.untilEnd(await service.begin("flow_cut", { payload: { data: { duck: "🦆" } } }));
  expect(run).toMatchObject({ status: "FAILED", error: { message: "no \ufffd", nodeId: "stop" } });
  expect(received).toContain('{"text":"\ufffd"}');
  const { keep, ask } = await recordsOf(run.id);
  expect(keep).toMatchObject({ input: { key: "k \ufffd", value: { v: "\ufffd" } }, status: "COMPLETED" });
  expect(keep.log[0]).toMatch(/^The input "key" held NUL or half a character/);
  expect(ask.output).toEqual({ text: "say \ufffd" });
});

it("a log line that is cut short is cut between characters", async () => {
  await service.flow(
    "flow_log",
    chain(node("talk", "code", { source: `console.log("x".repeat(1023) + "🦆"); return {};` })),
  );
  const run = await service.untilEnd(await service.begin("flow_log"));
  const { talk } = await recordsOf(run.id);
  expect(talk.log.every((line: string) => line.isWellFormed())).toBe(true);
});

it("while one organization's node brings half an emoji, a neighbour's stream tells everything", async () => {
  const { pool } = service.database;
  await addOrganization(pool, "org_next");
  await addUser(pool, "nina", { org_next: "owner" });
  const { key } = await addKey(pool, { organizationId: "org_next", userId: "nina" });
  const gate = await startGate();
  await addFlow(pool, "org_next", "flow_next", { graph: chain(gate.node("call")) });
  await service.flow("flow_half", chain(node("make", "code", { source: halves }), gate.node("hold")));
  const next = (await service.trigger("flow_next", {}, key)).body.data.id;
  const half = await service.begin("flow_half");
  await gate.untilArrived(2);
  const streams = await Promise.all([
    readEvents(`${service.address}/api/runs/${half}/stream?include=nodes`, service.key),
    readEvents(`${service.address}/api/runs/${next}/stream?include=nodes`, key),
  ]);
  gate.open();
  for (const events of streams) {
    const messages = await events.rest();
    expect(messages.at(-1)).toEqual({ type: "completed", status: "COMPLETED" });
    expect(messages.filter(({ type }) => type === "node").length).toBeGreaterThanOrEqual(4);
  }
  await gate.close();
});

it("a dry run mends the same", () =>
  withFile(
    [
      { kind: "Organization", id: "org_a", name: "A" },
      {
        kind: "Flow",
        id: "flow_a",
        organizationId: "org_a",
        name: "A",
        graph: chain(
          node("make", "transform", { expression: half }),
          node("done", "return", { value: "{{ nodes.make.value }}" }),
        ),
      },
    ],
    async (path) => {
      const { result, nodes } = await report([path]);
      expect(result).toMatchObject({ status: "COMPLETED", output: { half: "\ufffd" } });
      const made = nodes.find(({ nodeKey, status }) => nodeKey === "make" && status === "COMPLETED");
      expect(made?.log?.at(-1)).toMatch(/half a character/);
    },
  ));
