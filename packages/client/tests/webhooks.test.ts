import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { outgoingEvent } from "@millrace/contract/events";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readText } from "../../server/tests/support/loopback-server.ts";
import { hello } from "../../server/tests/support/runs-flows.ts";
import { startRunService, type RunTestService } from "../../server/tests/support/runs-service.ts";
import { addAgent } from "../../server/tests/support/workspace.ts";
import { MillraceClient, type MillraceEvent, webhooks, WebhookVerificationError } from "../src/client.ts";

const secret = `whsec_${Buffer.from("a secret of thirty-two characters").toString("base64")}`;
const other = `whsec_${Buffer.from("b secret of thirty-two characters").toString("base64")}`;
const body = JSON.stringify({ id: "evt_1", type: "endpoint.test", data: { message: "ü" } });
const now = new Date("2026-01-31T12:00:00Z");
const signed = () => webhooks.sign(body, { secret, id: "evt_1", timestamp: now });

describe("webhooks.unwrap", () => {
  it("takes what was signed, as text, bytes, Headers or an object, with either secret", async () => {
    const headers = await signed();
    const event = JSON.parse(body);
    expect(await webhooks.unwrap(body, headers, secret, { now })).toEqual(event);
    expect(
      await webhooks.unwrap(new TextEncoder().encode(body), new Headers(headers), [other, secret], { now }),
    ).toEqual(event);
    const upper = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]),
    );
    expect(await webhooks.unwrap(body, upper, secret, { now })).toEqual(event);
  });

  it("and the reference library understand each other", async () => {
    const reference = new Webhook(secret);
    const at = new Date();
    const headers = await webhooks.sign(body, { secret, id: "evt_1", timestamp: at });
    expect(reference.verify(body, headers)).toEqual(JSON.parse(body));
    const signature = reference.sign("evt_1", at, body);
    const made = { ...headers, "webhook-signature": `v1a,AAAA ${signature}` };
    expect(await webhooks.unwrap(body, made, secret)).toEqual(JSON.parse(body));
  });

  it.each<[string, (headers: Record<string, string>) => [string, Record<string, string>, string, Date?]]>([
    ["another secret", (headers) => [body, headers, other]],
    ["another body", (headers) => [`${body} `, headers, secret]],
    ["another id", (headers) => [body, { ...headers, "webhook-id": "evt_2" }, secret]],
    ["an old request", (headers) => [body, headers, secret, new Date(now.getTime() + 301_000)]],
    ["one of the future", (headers) => [body, headers, secret, new Date(now.getTime() - 301_000)]],
    ["no signature", (headers) => [body, { ...headers, "webhook-signature": "" }, secret]],
    [
      "a signature that is no Base64",
      (headers) => [body, { ...headers, "webhook-signature": "v1,*" }, secret],
    ],
    [
      "another version",
      (headers) => [
        body,
        { ...headers, "webhook-signature": `v2,${headers["webhook-signature"]!.slice(3)}` },
        secret,
      ],
    ],
    ["a time that is none", (headers) => [body, { ...headers, "webhook-timestamp": "soon" }, secret]],
    ["a secret that is none", (headers) => [body, headers, "whsec_*"]],
  ])("refuses %s", async (_what, change) => {
    const [text, headers, key, at = now] = change(await signed());
    await expect(webhooks.unwrap(text, headers, key, { now: at })).rejects.toBeInstanceOf(
      WebhookVerificationError,
    );
  });
});

describe("what the service sends", () => {
  let service: RunTestService;
  const events: MillraceEvent[] = [];
  const receiver = createServer();
  beforeAll(async () => {
    service = await startRunService();
    await service.flow("flow_hello", hello);
    await addAgent(service.database.pool, "org_run", "agent_one");
    receiver.listen(0, "127.0.0.1");
    await once(receiver, "listening");
  });
  afterAll(async () => {
    receiver.closeAllConnections();
    receiver.close();
    await service.stop();
  });

  it("is verified, and has the declared shape", async () => {
    const millrace = new MillraceClient({ baseUrl: service.address, apiKey: service.key });
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    await millrace.manage.putEventEndpoint("all", { url, events: ["*"] });
    const signing = await millrace.manage.eventEndpointSecret("all");
    receiver.on("request", (request, response) => {
      void readText(request)
        .then((text) => webhooks.unwrap(text, request.headers, signing.secret))
        .then((event) => events.push(event))
        .then(() => response.end());
    });
    await millrace.manage.testEventEndpoint("all");
    await millrace.runs.triggerAndWait("flow_hello");
    const { sessionId } = await millrace.sessions.create("agent_one");
    await millrace.sessions.send("agent_one", sessionId, { message: "Hi" });
    await expect
      .poll(() => new Set(events.map(({ type }) => type)))
      .toEqual(
        new Set([
          "endpoint.test",
          "run.created",
          "run.started",
          "run.completed",
          "agent.session_created",
          "agent.message_completed",
        ]),
      );
    for (const event of events) expect(outgoingEvent.safeParse(event).error).toBeUndefined();
  });
});
