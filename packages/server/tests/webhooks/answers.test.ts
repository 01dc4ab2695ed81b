import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chain, fan, node } from "../support/runs-flows.ts";
import { type Gate, startGate } from "../support/runs-gate.ts";
import { until } from "../support/runs-until.ts";
import { endedRun, startWebhookService, type WebhookService } from "./webhook-service.ts";

let service: WebhookService;
let gate: Gate;
beforeAll(async () => {
  gate = await startGate();
  service = await startWebhookService();
});
afterAll(async () => {
  await gate.close();
  await service.stop();
});

/** A flow that answers its caller; its path. */
async function answering(flowId: string, graph: object, waitMs = 60_000): Promise<string> {
  const path = await service.addWebhook(flowId, { graph });
  await service.database.pool.query(`UPDATE flow_webhooks SET respond_wait_ms = $2 WHERE flow_id = $1`, [
    flowId,
    waitMs,
  ]);
  return path;
}

let flows = 0;
async function returned(inputs: object, body?: unknown) {
  const path = await answering(`flow_answer_${(flows += 1)}`, chain(node("done", "return", inputs)));
  const answer = await fetch(service.address + path, {
    method: "POST",
    redirect: "manual",
    ...(body !== undefined && {
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    }),
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

describe("a flow that answers its caller", () => {
  it.each([
    [{ value: { text: "hi" } }, `{"text":"hi"}`, "application/json; charset=utf-8"],
    [{ value: { value: 1 } }, `{"value":1}`, "application/json; charset=utf-8"],
    [{ value: [1, "two"] }, `[1,"two"]`, "application/json; charset=utf-8"],
    [{ value: 7 }, `7`, "application/json; charset=utf-8"],
    [{ value: false }, `false`, "application/json; charset=utf-8"],
    [{ value: 'a "text"\nof two lines' }, `a "text"\nof two lines`, "text/plain; charset=utf-8"],
    [
      { value: "plain", headers: { "Content-Type": "application/json" } },
      `"plain"`,
      "application/json; charset=utf-8",
    ],
    [
      { value: "<p>Ünïcode</p>", headers: { "content-type": "text/html; charset=utf-8" } },
      `<p>Ünïcode</p>`,
      "text/html; charset=utf-8",
    ],
    [{}, `{}`, "application/json; charset=utf-8"],
  ])("sends %j bare", async (inputs, text, type) => {
    const answer = await returned(inputs);
    expect(answer).toMatchObject({ status: 200, text });
    expect(answer.headers.get("content-type")).toBe(type);
  });

  it("says the status and the headers, out of expressions too", async () => {
    const answer = await returned(
      {
        value: { id: "{{ trigger.body.id }}" },
        status: "{{ trigger.body.status }}",
        headers: {
          location: "https://example.com/{{ trigger.body.id }}",
          "X-Order": "{{ trigger.body.id }}",
        },
      },
      { id: "42", status: 303 },
    );
    expect(answer).toMatchObject({ status: 303, text: `{"id":"42"}` });
    expect(answer.headers.get("location")).toBe("https://example.com/42");
    expect(answer.headers.get("x-order")).toBe("42");
  });

  it("sends no body with a status that has none", async () => {
    expect(await returned({ value: { a: 1 }, status: 204 })).toMatchObject({ status: 204, text: "" });
  });

  it("cannot act for whoever is signed in: its page has an origin of its own, and nobody keeps it", async () => {
    const html = { "content-type": "text/html" };
    const { headers } = await returned({ value: "<script>fetch('/manage/keys')</script>", headers: html });
    expect(headers.get("content-security-policy")).toMatch(/^sandbox; default-src 'none'/);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
  });
});

describe("what no flow can send", () => {
  const bad: [string, string][] = [
    ["set-cookie", "session=stolen"],
    ["Set-Cookie2", "a=b"],
    ["connection", "close"],
    ["transfer-encoding", "chunked"],
    ["content-length", "3"],
    ["content-encoding", "gzip"],
    ["upgrade", "h2c"],
    ["trailer", "x-a"],
    ["keep-alive", "1"],
    ["proxy-authenticate", "Basic"],
    ["www-authenticate", "Basic"],
    ["content-security-policy", "default-src *"],
    ["clear-site-data", '"*"'],
    ["strict-transport-security", "max-age=0"],
    ["service-worker-allowed", "/"],
    ["refresh", "0; url=https://evil.example"],
    ["x-accel-redirect", "/etc/passwd"],
    ["x-sendfile", "/etc/passwd"],
    ["x-request-id", "mine"],
    ["x-ratelimit-remaining", "1000000"],
    ["x-frame-options", "ALLOWALL"],
    ["host", "evil.example"],
    ["bad name", "x"],
    ["x-split", "a\r\nset-cookie: b=c"],
    ["x-nul", "a\u0000b"],
    ["x-wide", "ü"],
    ["x-long", "x".repeat(5_000)],
  ];
  it.each(bad)("%s", async (name, value) => {
    const answer = await returned(
      { value: {}, headers: "{{ trigger.body }}" },
      { [name]: value, "x-fine": "yes" },
    );
    expect(answer.status).toBe(name === "x-nul" ? 400 : 500);
    expect(answer.headers.get("set-cookie")).toBeNull();
    expect(answer.headers.get("x-fine")).toBeNull();
  });

  it.each([100, 199, 600, 200.5, "200 OK"])("the status %s", async (status) => {
    expect((await returned({ value: {}, status: "{{ trigger.body.s }}" }, { s: status })).status).toBe(500);
  });
});

describe("a caller that waits", () => {
  it("gets 500 for a run that failed, and nothing of why", async () => {
    const path = await answering("flow_breaks", chain(node("no", "fail", { message: "the secret reason" })));
    const { status, body } = await service.post(path, {});
    expect({ status, code: body.code }).toEqual({ status: 500, code: "run_failed" });
    expect(body.messageParams).toMatchObject({ status: "FAILED" });
    expect(JSON.stringify(body)).not.toContain("secret");
  });

  it("gets nothing of a flow that ended without a return", async () => {
    const path = await answering("flow_silent", chain(node("inner", "set", { values: { secret: "s" } })));
    const { status, body } = await service.post(path, {});
    expect({ status, body }).toEqual({ status: 204, body: "" });
  });

  it("gets what the first of several returns says", async () => {
    const path = await answering(
      "flow_returns",
      fan(node("a", "return", { value: "a", status: 201 }), node("b", "return", { value: "b", status: 202 })),
    );
    const { status, body } = await service.post(path, {});
    expect([`201 a`, `202 b`]).toContain(`${status} ${body}`);
  });

  it("gets the usual 202 when the time is over, and the run goes on", async () => {
    const graph = chain(gate.node("hold"), node("done", "return", { value: { late: true } }));
    const path = await answering("flow_late", graph, 300);
    const { status, body } = await service.post(path, {});
    expect(status).toBe(202);
    gate.letGo();
    expect(await endedRun(service, body.data.runId)).toMatchObject({
      status: "COMPLETED",
      output: { late: true },
    });
  });

  it("gets the same answer for the same idempotency key, also while the first still waits", async () => {
    const graph = chain(
      gate.node("once"),
      node("done", "return", { value: { run: "{{ run.id }}" }, status: 201 }),
    );
    const path = await answering("flow_once", graph);
    const count = gate.arrived.length;
    const key = { "x-idempotency-key": "k" };
    const both = [service.post(path, {}, key), service.post(path, {}, key)];
    await gate.untilArrived(count + 1);
    gate.letGo();
    const [first, second] = await Promise.all(both);
    expect(first!.status).toBe(201);
    expect(second!.body).toEqual(first!.body);
    expect((await service.post(path, {}, key)).body).toEqual(first!.body);
    expect(gate.arrived.length).toBe(count + 1);
  });
});

it("is switched by the document, and a webhook without it answers as ever", async () => {
  const path = await service.addWebhook("flow_plain");
  expect((await service.post(path, {})).status).toBe(202);
  await service.database.pool.query(
    `UPDATE flow_webhooks SET respond_wait_ms = 60000 WHERE flow_id = 'flow_plain'`,
  );
  // Gates are believed for two seconds.
  const answer = await until("the flow answers", async () => {
    const { status, body } = await service.post(path, { n: 1 });
    return status === 200 && body;
  });
  expect(answer).toMatchObject({ text: "Hello", start: { body: { n: 1 } } });
});
