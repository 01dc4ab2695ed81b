import { setImmediate as nextTurn } from "node:timers/promises";
import { rateLimitBody } from "@millrace/contract/envelope";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RateLimiter } from "../../src/operations/auth/rate-limiter.ts";
import type { Db } from "../../src/storage/pool.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { addTwoOrganizations } from "../support/workspace.ts";

describe("the request limit of a user", () => {
  let service: TestService;
  let keys: Awaited<ReturnType<typeof addTwoOrganizations>>;
  beforeAll(async () => {
    service = await startTestService({
      MILLRACE_REQUESTS_PER_MINUTE: "5",
      MILLRACE_BAD_KEYS_PER_MINUTE: "3",
    });
    keys = await addTwoOrganizations(service.database.pool);
  });
  afterAll(() => service.stop());

  it("is told in the headers and ends in a 429 with nothing but the error", async () => {
    const answers = [];
    for (let at = 0; at < 7; at++) answers.push(await service.get("/api/flows", keys.one));
    const remaining = answers.map(({ headers }) => Number(headers.get("x-ratelimit-remaining")));
    // A minute may end in between; within one it counts down.
    expect(remaining.slice(0, 2)).toEqual([4, 3]);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.body).toEqual({ error: "Too many requests" });
    expect(rateLimitBody.safeParse(refused?.body).success).toBe(true);
    expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(Number(refused?.headers.get("x-ratelimit-reset"))).toBeGreaterThan(Date.now() / 1000 - 1);
    expect(refused?.headers.get("x-ratelimit-limit")).toBe("5");
  });

  it("leaves other users alone", async () => {
    expect((await service.get("/api/flows", keys.two)).status).toBe(200);
  });

  it("stops an address that guesses keys, but not the keys that are known", async () => {
    await service.get("/api/flows", keys.viewer);
    const wrong = `mr_org_${"A".repeat(38)}`;
    const statuses = [];
    for (let at = 0; at < 5; at++) {
      statuses.push((await service.get("/api/flows", wrong, { "x-forwarded-for": `10.0.0.${at}` })).status);
    }
    expect(statuses).toContain(429);
    expect(statuses[0]).toBe(401);
    expect((await service.get("/api/flows", keys.viewer)).status).toBe(200);
  });
});

describe("one limit over several processes", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it("is exceeded by a few percent at most", async () => {
    const nowMs = () => 1_800_000_000_000;
    const exchanges = new Set<Promise<unknown>>();
    const db: Db = {
      query: (statement) => {
        const exchange = database.pool.query(statement).finally(() => exchanges.delete(exchange));
        exchanges.add(exchange);
        return exchange;
      },
    };
    const limiters = Array.from({ length: 3 }, () => new RateLimiter(db, nowMs));
    let allowed = 0;
    for (let round = 0; round < 600; round++) {
      for (const limiter of limiters) if (limiter.take("user:x", 1_000, 60_000).allowed) allowed++;
      // What the limiters tell each other of their own accord arrives; how fast is for the machine to say.
      while (exchanges.size > 0) await Promise.all(exchanges);
      await nextTurn();
    }
    expect(allowed).toBeGreaterThanOrEqual(1_000);
    expect(allowed).toBeLessThanOrEqual(1_060);
  });

  it("starts anew with the next window", () => {
    let nowMs = 1_800_000_000_000;
    const limiter = new RateLimiter(database.pool, () => nowMs);
    expect(limiter.take("user:y", 1, 60_000).allowed).toBe(true);
    expect(limiter.take("user:y", 1, 60_000).allowed).toBe(false);
    nowMs += 60_000;
    expect(limiter.take("user:y", 1, 60_000).allowed).toBe(true);
  });
});
