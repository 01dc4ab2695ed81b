import { webhookAcceptedAnswer } from "@millrace/contract/webhook";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endedRun, showingGraph, startWebhookService, type WebhookService } from "./webhook-service.ts";

let service: WebhookService;
beforeAll(async () => {
  service = await startWebhookService();
});
afterAll(() => service.stop());

describe("a post with the right token", () => {
  it("is answered 202 with a run that was started by a webhook", async () => {
    const path = await service.addWebhook("flow_plain");
    const answer = await service.post(path, { name: "Ada" });
    expect(answer.status).toBe(202);
    expect(webhookAcceptedAnswer.safeParse(answer.body).success).toBe(true);
    expect(Object.keys(answer.body.data)).toEqual(["runId"]);
    const run = await endedRun(service, answer.body.data.runId);
    expect(run).toMatchObject({
      status: "COMPLETED",
      payload: { flowId: "flow_plain", triggerSource: "webhook" },
    });
  });

  it("lays the whole request on the start node, without credentials and what proxies added", async () => {
    const path = await service.addWebhook("flow_envelope");
    const { body } = await service.post(
      `${path}?a=1&b=2&b=3&__proto__=x`,
      { name: "Ada" },
      {
        "X-Event": "push",
        authorization: "Bearer secret",
        cookie: "session=secret",
        "x-api-key": "secret",
        "proxy-authorization": "secret",
        "x-forwarded-for": "10.1.2.3",
        "x-forwarded-host": "proxy.example",
        forwarded: "for=10.1.2.3",
      },
    );
    const { start } = (await endedRun(service, body.data.runId)).output;
    expect(start).toMatchObject({ body: { name: "Ada" }, query: { a: "1", b: ["2", "3"] }, method: "POST" });
    expect(start.headers).toMatchObject({ "x-event": "push", "content-type": "application/json" });
    expect(JSON.stringify(start)).not.toContain("secret");
    expect(Object.keys(start.headers).filter((name) => /forward|proxy|cookie|api-key/.test(name))).toEqual(
      [],
    );
    expect(JSON.stringify(start)).not.toContain(path.split("/").at(-1));
  });

  it("fills inputs that are empty and leaves the others alone", async () => {
    const graph = {
      nodes: [
        { id: "start", type: "start", data: { inputs: { greeting: "", fixed: "kept" } } },
        { id: "done", type: "return", data: { inputs: { value: { start: "{{ nodes.start }}" } } } },
      ],
      edges: [{ id: "e", source: "start", target: "done" }],
    };
    const path = await service.addWebhook("flow_inputs", { graph });
    const { body } = await service.post(path, {
      start_greeting: "Merhaba",
      start_fixed: "changed",
      nowhere_input: 1,
      done_value: { text: "mine" },
    });
    const run = await endedRun(service, body.data.runId);
    expect(run.output.start).toMatchObject({ greeting: "Merhaba", fixed: "kept" });
    const { rows } = await service.database.pool.query(`SELECT inputs FROM run_payloads WHERE run_id = $1`, [
      body.data.runId,
    ]);
    expect(rows[0].inputs).toEqual({ start_greeting: "Merhaba" });
  });

  it.each([
    ["nothing", undefined, {}, {}],
    ["an empty JSON body", "", { "content-type": "application/json" }, {}],
    ["an array", [1, 2], {}, [1, 2]],
    ["a number", "7", { "content-type": "application/json; charset=utf-8" }, 7],
    ["null", "null", { "content-type": "application/json" }, {}],
    [
      "a form",
      "a=1&b=2&b=3",
      { "content-type": "application/x-www-form-urlencoded" },
      { a: "1", b: ["2", "3"] },
    ],
    ["a text", "plain words", { "content-type": "text/plain" }, "plain words"],
  ])("takes %s as its body", async (name, sent, headers, expected) => {
    const path = await service.addWebhook(`flow_body_${name.replaceAll(" ", "_")}`);
    const answer = await service.post(path, sent, headers as Record<string, string>);
    expect(answer.status).toBe(202);
    expect((await endedRun(service, answer.body.data.runId)).output.start.body ?? {}).toEqual(expected);
  });

  it("takes a body without a type for JSON", async () => {
    const path = await service.addWebhook("flow_untyped");
    const answer = await fetch(service.address + path, {
      method: "POST",
      body: Buffer.from(`{"name":"Ada"}`),
    });
    expect(answer.status).toBe(202);
    const { data } = (await answer.json()) as { data: { runId: string } };
    expect((await endedRun(service, data.runId)).output.start.body).toEqual({ name: "Ada" });
  });

  it("waits in the queue where the organization is at its limit, and a repeat says the same when it no longer waits", async () => {
    await service.database.pool.query(`UPDATE organizations SET concurrency_limit = 0 WHERE id = 'org_one'`);
    const path = await service.addWebhook("flow_queued");
    const first = await service.post(path, {}, { "x-idempotency-key": "once" });
    expect(first.status).toBe(202);
    expect(first.body.data.queueId).toMatch(/^queue_/);
    await service.database.pool.query(`UPDATE organizations SET concurrency_limit = 10 WHERE id = 'org_one'`);
    await endedRun(service, first.body.data.queueId.replace("queue_", "run_"));
    const again = await service.post(path, { other: "body" }, { "x-idempotency-key": "once" });
    expect(again).toMatchObject({ status: 202, body: first.body });
  });

  it("has idempotency keys of its own, apart from those of the API", async () => {
    const path = await service.addWebhook("flow_scopes");
    const byApi = await service.send("POST", "/api/runs", {
      key: service.keys.one,
      body: { payload: { flowId: "flow_scopes" }, idempotencyKey: "same" },
    });
    const byWebhook = await service.post(path, {}, { "x-idempotency-key": "same" });
    expect(byWebhook.body.data.runId).not.toBe(byApi.body.data.id);
  });

  it("never evaluates what it brought", async () => {
    const path = await service.addWebhook("flow_templates");
    const text = "{{ nodes.start.headers }} {{ $env }} ${process.env}";
    const { body } = await service.post(path, { text, start_body: text });
    expect((await endedRun(service, body.data.runId)).output.start.body.text).toBe(text);
  });
});

describe("what is refused and enqueues nothing", () => {
  it.each([
    ["another type", 415, { "content-type": "application/xml" }, "<a/>"],
    ["an unknown encoding", 415, { "content-type": "application/json", "content-encoding": "gzip" }, "{}"],
    ["broken JSON", 400, { "content-type": "application/json" }, "{"],
    ["a prototype in JSON", 400, { "content-type": "application/json" }, `{"__proto__":{"admin":true}}`],
    ["a prototype in a form", 400, { "content-type": "application/x-www-form-urlencoded" }, "__proto__=1"],
    ["a text with NUL", 400, { "content-type": "text/plain" }, "a\0b"],
    ["an empty idempotency key", 400, { "x-idempotency-key": "" }, "{}"],
    ["an idempotency key of 2,049 characters", 400, { "x-idempotency-key": "k".repeat(2_049) }, "{}"],
  ])("%s is a %i", async (name, status, headers, body) => {
    const path = await service.addWebhook(`flow_refused_${name.replaceAll(/\W/g, "_")}`);
    const runs = await service.countRuns();
    const answer = await service.post(path, body, headers as Record<string, string>);
    expect(answer.status).toBe(status);
    expect(answer.body.success).toBe(false);
    expect(await service.countRuns()).toBe(runs);
  });

  it("a body of 1 MiB is taken, one byte more is a 413", async () => {
    const path = await service.addWebhook("flow_large");
    const fits = `"${"x".repeat(1_048_576 - 2)}"`;
    expect((await service.post(path, fits)).status).toBe(202);
    const runs = await service.countRuns();
    expect((await service.post(path, `${fits} `)).status).toBe(413);
    expect(await service.countRuns()).toBe(runs);
  });

  it.each(["GET", "PUT", "PATCH", "DELETE"])("%s is a 405 that names POST", async (method) => {
    const path = await service.addWebhook(`flow_method_${method}`);
    const answer = await service.send(method, path, {});
    expect(answer.status).toBe(405);
    expect(answer.headers.get("allow")).toBe("POST");
  });

  it("a flow that would not run is a 400 with the reasons", async () => {
    const path = await service.addWebhook("flow_broken", {
      graph: { nodes: [{ id: "only", type: "set", data: {} }], edges: [] },
    });
    const answer = await service.post(path, {});
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: "flow_validation_failed" });
    expect(answer.body.validationErrors.length).toBeGreaterThan(0);
  });

  it("a disabled webhook is a 403, a passive flow a 409 that names the flow, a suspended organization a 403", async () => {
    const disabled = await service.addWebhook("flow_disabled");
    await service.database.pool.query(
      `UPDATE flow_webhooks SET enabled = false WHERE flow_id = 'flow_disabled'`,
    );
    expect(await service.post(disabled, {})).toMatchObject({
      status: 403,
      body: { code: "webhook_disabled" },
    });

    const passive = await service.addWebhook("flow_passive", { active: false });
    expect(await service.post(passive, {})).toMatchObject({
      status: 409,
      body: {
        success: false,
        error: "Flow is passive",
        code: "flow_passive",
        messageParams: { flowId: "flow_passive" },
      },
    });

    const suspended = await service.addWebhook("flow_suspended", { organizationId: "org_suspended" });
    expect(await service.post(suspended, {})).toMatchObject({
      status: 403,
      body: { code: "organization_suspended" },
    });
  });

  it("forged fields of a body are data and nothing else", async () => {
    const path = await service.addWebhook("flow_forged", { graph: showingGraph });
    const forged = {
      files: ["/etc/passwd"],
      headers: { authorization: "Bearer forged" },
      query: { admin: "1" },
      method: "DELETE",
      trigger: { body: {} },
      organizationId: "org_two",
      flowId: "flow_two",
      triggerSource: "api",
      constructor: { name: "x" },
    };
    const { body } = await service.post(path, forged);
    const run = await endedRun(service, body.data.runId);
    expect(run.payload).toMatchObject({
      organizationId: "org_one",
      flowId: "flow_forged",
      triggerSource: "webhook",
    });
    expect(run.output.start).toMatchObject({ body: forged, query: {}, method: "POST" });
    expect(run.output.start.headers.authorization).toBeUndefined();
  });
});

it("answers are kept by nobody on the way", async () => {
  const path = await service.addWebhook("flow_secrecy");
  const answers = [
    await service.post(path, {}),
    await service.post(`${path}x`, {}),
    await service.post(path, "<"),
  ];
  for (const { headers } of answers) {
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
  }
});
