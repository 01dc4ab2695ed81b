import { afterAll, beforeAll, expect, it } from "vitest";
import { addFlow } from "../support/workspace.ts";
import { endedRun, startWebhookService, type WebhookService } from "../webhooks/webhook-service.ts";

const graph = (inputs: object) => ({
  nodes: [
    { id: "start", type: "start", data: {} },
    { id: "note", type: "template", data: { inputs } },
    { id: "done", type: "return", data: { inputs: { value: { text: "{{ nodes.note.text }}" } } } },
  ],
  edges: [
    { source: "start", target: "note" },
    { source: "note", target: "done" },
  ],
});

let service: WebhookService;
let webhook: string;
beforeAll(async () => {
  service = await startWebhookService();
  webhook = await service.addWebhook("flow_need", { graph: graph({ text: "" }) });
  await addFlow(service.database.pool, "org_one", "flow_full", {
    graph: graph({ text: "from the document" }),
  });
});
afterAll(() => service.stop());

const trigger = (flowId: string, inputs?: object) =>
  service.send("POST", "/api/runs", { key: service.keys.one, body: { payload: { flowId, inputs } } });

it("a trigger that supplies the need runs", async () => {
  const { status, body } = await trigger("flow_need", { note_text: "hello" });
  expect(status).toBe(201);
  expect((await endedRun(service, body.data.id)).output).toEqual({ text: "hello" });
});

it.each([[undefined], [{}], [{ note_text: null }], [{ other_text: "x" }]])(
  "one that does not gets 400 naming it: %j",
  async (inputs) => {
    const { status, body } = await trigger("flow_need", inputs);
    expect([status, body.code]).toEqual([400, "invalid_request_body"]);
    expect(body.issues).toEqual([
      { path: ["payload", "inputs", "note_text"], message: expect.stringContaining("is required") },
    ]);
  },
);

it("a webhook that supplies it runs, one that does not gets 400 naming it", async () => {
  const accepted = await service.post(webhook, { note_text: "hooked" });
  expect(accepted.status).toBe(202);
  expect((await endedRun(service, accepted.body.data.runId)).output).toEqual({ text: "hooked" });
  for (const body of [{}, { note_text: null }, { text: "x" }, []]) {
    const refused = await service.post(webhook, body);
    expect([refused.status, refused.body.issues?.[0]?.path]).toEqual([400, ["body", "note_text"]]);
  }
});

it("null in place of an override means as if absent", async () => {
  const { status, body } = await trigger("flow_full", { note_text: null, nothing_here: null });
  expect(status).toBe(201);
  expect((await endedRun(service, body.data.id)).output).toEqual({ text: "from the document" });
});

it("expressions read the trigger laid over the defaults of start", async () => {
  const read =
    "{{ {'body': trigger.body, 'query': trigger.query, 'headers': trigger.headers, 'method': trigger.method} }}";
  const defaults = {
    body: { name: "world", size: 1 },
    query: { page: "1" },
    headers: { "x-a": "1" },
    method: "PUT",
  };
  await addFlow(service.database.pool, "org_one", "flow_defaults", {
    graph: {
      nodes: [
        { id: "start", type: "start", data: { inputs: defaults } },
        { id: "each", type: "for-each", data: { inputs: { items: [1] } } },
        { id: "inner", type: "set", parentId: "each", data: { inputs: { values: { seen: read } } } },
        {
          id: "done",
          type: "return",
          data: {
            inputs: {
              value: { seen: read, inner: "{{ nodes.each.items[0].seen }}", start: "{{ nodes.start }}" },
            },
          },
        },
      ],
      edges: [
        { source: "start", target: "each" },
        { source: "each", target: "done" },
      ],
    },
  });
  const outputOf = async (trigger: object) => {
    const { body } = await service.send("POST", "/api/runs", {
      key: service.keys.one,
      body: { payload: { flowId: "flow_defaults", trigger } },
    });
    return (await endedRun(service, body.data.id)).output;
  };
  const bare = await outputOf({});
  expect(bare).toEqual({ seen: defaults, inner: defaults, start: defaults });
  const given = await outputOf({ body: { name: "Ada" }, query: { page: "2" }, method: "GET" });
  const laid = { ...defaults, body: { name: "Ada", size: 1 }, query: { page: "2" }, method: "GET" };
  expect(given).toEqual({ seen: laid, inner: laid, start: laid });
});

it("a flow that is called by another one has to need nothing", async () => {
  await addFlow(service.database.pool, "org_one", "flow_caller", {
    graph: {
      nodes: [
        { id: "start", type: "start", data: {} },
        { id: "call", type: "run-flow", data: { inputs: { flowId: "flow_need" } } },
      ],
      edges: [{ source: "start", target: "call" }],
    },
  });
  const { body } = await trigger("flow_caller");
  const run = await endedRun(service, body.data.id);
  expect([run.status, run.error.message]).toEqual(["FAILED", expect.stringContaining("note_text")]);
});
