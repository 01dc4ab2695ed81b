import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Authenticator } from "../../src/operations/auth/authenticator.ts";
import type { RawDb } from "../support/database.ts";
import { wrongKeys, wrongTokens } from "../support/hostile-inputs.ts";
import { startWebhookService, type WebhookService } from "../webhooks/webhook-service.ts";

let service: WebhookService;

beforeAll(async () => {
  service = await startWebhookService({
    MILLRACE_BAD_KEYS_PER_MINUTE: "20",
    MILLRACE_WEBHOOK_REQUESTS_PER_IP_10S: "40",
  });
  // All in one window, wherever the minute ends.
  const untilNextMinuteMs = 60_000 - (Date.now() % 60_000);
  if (untilNextMinuteMs < 10_000) await sleep(untilNextMinuteMs + 100);
}, 30_000);
afterAll(() => service.stop());

const statusesOf = async (requests: Promise<{ status: number }>[]) =>
  (await Promise.all(requests)).map(({ status }) => status);

describe("an address that guesses", () => {
  it("is told to slow down, and every good key and token from it works, known or new", async () => {
    const path = await service.addWebhook("flow_shared");
    const guesses = await statusesOf([
      ...wrongKeys(50).map((key) => service.get("/api/flows", key)),
      ...wrongTokens(50).map((token) => service.post(path.slice(0, -43) + token, {})),
    ]);
    expect(guesses.filter((status) => status === 401)).toHaveLength(20);
    expect(guesses.filter((status) => status === 429)).toHaveLength(80);
    // None of these has been seen by this process.
    expect((await service.get("/api/flows", service.keys.one)).status).toBe(200);
    expect((await service.get("/api/flows", service.keys.viewer)).status).toBe(200);
    expect((await service.post(path, {})).status).toBe(202);
  });

  it("is refused for keys that were good once", async () => {
    expect((await service.get("/api/flows", service.keys.revoked)).status).toBe(429);
    expect((await service.get("/api/flows", service.keys.expired)).status).toBe(429);
  });

  it("is refused without a query for keys whose checksum is wrong", async () => {
    const { count, db } = counting();
    const authenticator = new Authenticator(db, Date.now);
    expect(authenticator.known(`mr_org_${"A".repeat(38)}`)).toBeUndefined();
    expect(count()).toBe(0);
  });
});

describe("a flood of wrong keys", () => {
  it("is looked up by a few statements, and a good key among them is found", async () => {
    const { count, db } = counting();
    const authenticator = new Authenticator(db, Date.now);
    const [good, ...bad] = await Promise.all(
      [service.keys.one, ...wrongKeys(1_000)].map((key) => authenticator.lookUp(key)),
    );
    expect(good?.user.id).toBe("ada");
    expect(bad.every((principal) => principal === undefined)).toBe(true);
    expect(count()).toBeLessThan(15);
  });

  it("does not push good keys out of memory", async () => {
    const { count, db } = counting();
    const authenticator = new Authenticator(db, Date.now);
    await authenticator.lookUp(service.keys.one);
    await Promise.all(wrongKeys(12_000).map((key) => authenticator.lookUp(key)));
    const before = count();
    const known = authenticator.known(service.keys.one);
    // It may have grown old meanwhile, but it is not remembered as a bad one.
    expect(known === null || known?.user.id === "ada").toBe(true);
    expect(count()).toBe(before);
  });
});

function counting(): { count: () => number; db: RawDb } {
  let statements = 0;
  const db = {
    query: (...asked: Parameters<RawDb["query"]>) => {
      statements++;
      return service.database.pool.query(...asked);
    },
  } as RawDb;
  return { count: () => statements, db };
}
