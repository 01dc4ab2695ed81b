import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addFlow } from "../support/workspace.ts";
import { chain, node } from "../support/runs-flows.ts";
import { endedRun, startWebhookService, type WebhookService } from "../webhooks/webhook-service.ts";

const order = {
  type: "object",
  properties: {
    email: { type: "string", format: "email" },
    lines: {
      type: "array",
      minItems: 1,
      items: { type: "object", properties: { amount: { type: "number", minimum: 0 } }, required: ["amount"] },
    },
  },
  required: ["email", "lines"],
  additionalProperties: false,
};
const echo = chain(node("done", "return", { value: "{{ {'body': trigger.body} }}" }));

let service: WebhookService;
let webhook: string;
const add = (id: string, graph: object, input?: object, more: object = {}) =>
  addFlow(service.database.pool, "org_one", id, { graph, settings: { ...(input && { input }), ...more } });

beforeAll(async () => {
  service = await startWebhookService();
  await add("flow_order", echo, order, { tool: { description: "Takes an order", readOnly: false } });
  webhook = await service.addWebhook("flow_hook", { graph: echo, settings: { input: order } });
});
afterAll(() => service.stop());

const trigger = (flowId: string, payload: object = {}) =>
  service.send("POST", "/api/runs", { key: service.keys.one, body: { payload: { flowId, ...payload } } });
const right = { email: "ada@example.com", lines: [{ amount: 3 }] };

describe("a trigger", () => {
  it("runs with a body that fits", async () => {
    const { status, body } = await trigger("flow_order", { trigger: { body: right } });
    expect(status).toBe(201);
    expect((await endedRun(service, body.data.id)).output).toEqual({ body: right });
  });

  it("gets 400 with every place that does not fit, and makes no run", async () => {
    const before = await service.countRuns();
    const wrong = { email: "ada", lines: [{ amount: 3 }, { amount: -1 }, {}], extra: 1 };
    const { status, body } = await trigger("flow_order", { trigger: { body: wrong } });
    expect([status, body.code]).toEqual([400, "invalid_request_body"]);
    const path = ["payload", "trigger", "body"];
    expect(body.issues).toEqual([
      { path: [...path, "email"], message: "must have the format email" },
      { path: [...path, "lines", 1, "amount"], message: "must be at least 0" },
      { path: [...path, "lines", 2, "amount"], message: "is required" },
      { path: [...path, "extra"], message: "is not allowed" },
    ]);
    expect(await service.countRuns()).toBe(before);
  });

  it.each([[{}], [{ trigger: {} }]])("without a body is told that it is required: %j", async (payload) => {
    const { status, body } = await trigger("flow_order", payload);
    expect([status, body.issues]).toEqual([
      400,
      [{ path: ["payload", "trigger", "body"], message: "is required" }],
    ]);
  });

  it("is answered with the run of its idempotency key before its body is looked at", async () => {
    const send = (body: unknown) =>
      service.send("POST", "/api/runs", {
        key: service.keys.one,
        body: { payload: { flowId: "flow_order", trigger: { body } }, idempotencyKey: "once" },
      });
    const first = await send(right);
    expect((await send("wrong")).body.data.id).toBe(first.body.data.id);
  });
});

it("a webhook gets 400 with paths that begin with body", async () => {
  expect((await service.post(webhook, right)).status).toBe(202);
  const { status, body } = await service.post(webhook, { ...right, email: 3 });
  expect([status, body.issues]).toEqual([400, [{ path: ["body", "email"], message: "must be a text" }]]);
});

it("what start states counts as brought, and may be overridden", async () => {
  const [start, ...rest] = echo.nodes;
  const defaults = { ...start, data: { inputs: { body: { email: "shop@example.com" } } } };
  await add("flow_defaults", { ...echo, nodes: [defaults, ...rest] }, order);
  const brought = { trigger: { body: { lines: right.lines } } };
  expect((await trigger("flow_defaults", brought)).status).toBe(201);
  const inputs = { start_body: { email: "nobody" } };
  expect((await trigger("flow_defaults", { ...brought, inputs })).status).toBe(400);
  const computed = { ...start, data: { inputs: { body: { email: "{{ data.email }}" } } } };
  await add("flow_computed", { ...echo, nodes: [computed, ...rest] }, order);
  expect((await trigger("flow_computed", brought)).body.issues[0].path).toContain("email");
});

it("a flow that calls another one fails with what does not fit", async () => {
  const call = (id: string, body: unknown) =>
    add(id, chain(node("call", "run-flow", { flowId: "flow_order", trigger: { body } })));
  await call("flow_wrong", { ...right, email: 3 });
  await call("flow_right", right);
  const end = async (flowId: string) => endedRun(service, (await trigger(flowId)).body.data.id);
  expect((await end("flow_wrong")).error).toMatchObject({
    name: "FlowInput",
    message: "The flow flow_order refuses its input: trigger.body.email must be a text",
  });
  expect((await end("flow_right")).status).toBe("COMPLETED");
});

it("get flow shows input and tool where a flow has them, the list does not", async () => {
  const { body } = await service.get("/api/flows/flow_order", service.keys.one);
  expect(body.data).toMatchObject({ input: order, tool: { description: "Takes an order", readOnly: false } });
  const bare = await service.get("/api/flows/flow_one", service.keys.one);
  expect(Object.keys(bare.body.data)).not.toContain("input");
  const { body: list } = await service.get("/api/flows", service.keys.one);
  for (const flow of list.data) expect(Object.keys(flow)).not.toContain("input");
});

it("a schema that was stored and cannot be read keeps the flow from running", async () => {
  await add("flow_broken", echo, { type: "text" });
  const { status, body } = await trigger("flow_broken", { trigger: { body: {} } });
  expect([status, body.code]).toEqual([400, "flow_validation_failed"]);
  expect(body.validationErrors[0]).toMatch(/^The flow's input\.type must be one of/);
});

it("a check without end stops nobody: requests that came later are answered first", async () => {
  const level = (at: number): object =>
    at === 0
      ? { type: "number" }
      : { anyOf: [{ $ref: `#/$defs/l${at - 1}` }, { $ref: `#/$defs/l${at - 1}` }] };
  const $defs = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`l${at}`, level(at)]));
  await add("flow_hostile", echo, { $ref: "#/$defs/l59", $defs });
  await trigger("flow_one");
  const answered: string[] = [];
  const hostile = trigger("flow_hostile", { trigger: { body: "x" } }).then((answer) => {
    answered.push("hostile");
    return answer;
  });
  for (let at = 0; at < 5; at++) {
    await service.get("/api/flows/flow_one", service.keys.two);
    answered.push("other");
  }
  const { status, body } = await hostile;
  expect(answered.at(-1)).toBe("hostile");
  expect([status, body.issues[0].message]).toEqual([400, expect.stringContaining("takes too long to check")]);
});
