import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startWebhookService, type WebhookService } from "../webhooks/webhook-service.ts";

let service: WebhookService;
beforeAll(async () => {
  service = await startWebhookService();
});
afterAll(() => service.stop());

const trigger = (headers: Record<string, string>, body: object = {}) =>
  service.send("POST", "/api/runs", {
    key: service.keys.one,
    headers,
    body: { payload: { flowId: "flow_one" }, ...body },
  });
const latin1 = (text: string) => Buffer.from(text, "utf8").toString("latin1");

describe("Idempotency-Key of a trigger", () => {
  it("means what idempotencyKey of the body means", async () => {
    const key = "größe 1 / ключ";
    const first = await trigger({ "idempotency-key": latin1(key) });
    const again = await trigger({ "idempotency-key": latin1(key) });
    const inBody = await trigger({}, { idempotencyKey: key });
    const inBoth = await trigger({ "idempotency-key": latin1(key) }, { idempotencyKey: key });
    expect(first.status).toBe(201);
    expect(first.headers.get("idempotent-replayed")).toBeNull();
    for (const answer of [again, inBody, inBoth]) {
      expect([answer.status, answer.body.data.id]).toEqual([201, first.body.data.id]);
      expect(answer.headers.get("idempotent-replayed")).toBe("true");
    }
  });

  it("is a 400 where the two differ, where it is empty and where it is too long", async () => {
    for (const [header, idempotencyKey] of [
      ["a", "b"],
      ["", undefined],
      ["x".repeat(2_049), undefined],
    ]) {
      const { status, body } = await trigger({ "idempotency-key": header! }, { idempotencyKey });
      expect([status, body.code]).toEqual([400, "invalid_request_body"]);
      expect(body.issues[0].path).toEqual(["headers", "Idempotency-Key"]);
    }
  });
});

describe("X-Idempotency-Key of a webhook", () => {
  it.each([
    ["300 characters", "k".repeat(300)],
    ["2,048 characters", "k".repeat(2_048)],
    ["2,048 characters of two bytes", latin1("ö".repeat(2_048))],
    ["spaces and punctuation", `order 17, "second try" (b) = {x}`],
    ["any script", latin1("注文 17")],
    ["Latin-1", "caf\u00e9"],
  ])("takes %s", async (_, key) => {
    const path = await service.addWebhook(`flow_${Math.random().toString(36).slice(2)}`);
    const first = await service.post(path, {}, { "x-idempotency-key": key });
    const again = await service.post(path, {}, { "x-idempotency-key": key });
    expect([first.status, again.status]).toEqual([202, 202]);
    expect(again.body).toEqual(first.body);
  });

  it.each([
    ["nothing", ""],
    ["2,049 characters", "k".repeat(2_049)],
    ["a tab", "a\tb"],
  ])("refuses %s", async (_, key) => {
    const path = await service.addWebhook(`flow_${Math.random().toString(36).slice(2)}`);
    const { status, body } = await service.post(path, {}, { "x-idempotency-key": key });
    expect([status, body.issues[0].path]).toEqual([400, ["headers", "X-Idempotency-Key"]]);
  });
});
