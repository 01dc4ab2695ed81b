import { once } from "node:events";
import { errorBody } from "@millrace/contract/envelope";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { RateLimits } from "../../src/http/middleware/rate-limit.ts";
import { defineRoute } from "../../src/http/route.ts";
import { probeRoutes } from "../../src/http/routes/service.ts";
import { buildServer } from "../../src/http/server.ts";
import { Workload } from "../../src/lifecycle/workload.ts";
import { Authenticator, sessionProof } from "../../src/operations/auth/authenticator.ts";
import { Site } from "../../src/http/site.ts";
import { RateLimiter } from "../../src/operations/auth/rate-limiter.ts";
import { createLogger } from "../../src/telemetry/logger.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { startTestService } from "../support/service.ts";
import { addTwoOrganizations } from "../support/workspace.ts";

const MAX_IN_HAND = 4;
const common = { tag: "Test", access: "open", answers: {}, errors: [] } as const;

describe("a process with as many requests in hand as it can answer in time", () => {
  let database: TestDatabase;
  let server: ReturnType<typeof buildServer>;
  let address: string;
  let arrivals: EventTarget;
  let release: () => void;
  let refused: number;

  beforeEach(async () => {
    refused = 0;
    database = await createTestDatabase(1);
    const held = Promise.withResolvers<void>();
    release = held.resolve;
    arrivals = new EventTarget();
    const arrive = async () => {
      arrivals.dispatchEvent(new Event("arrival"));
      await held.promise;
      return { status: 200, body: { done: true } };
    };
    const limiter = new RateLimiter(database.pool, () => Date.now());
    server = buildServer({
      routes: [
        defineRoute({
          ...common,
          method: "POST",
          path: "/work",
          name: "work",
          summary: "Waits",
          handle: arrive,
        }),
        defineRoute({
          ...common,
          method: "POST",
          path: "/chat",
          name: "chat",
          summary: "Waits",
          lasting: true,
          handle: arrive,
        }),
        ...probeRoutes({
          ready: async () => true,
          metrics: async () => ({ contentType: "text/plain", text: "" }),
        }),
      ],
      authenticator: new Authenticator(database.pool, () => Date.now()),
      sessions: new Authenticator(database.pool, () => Date.now(), sessionProof),
      site: new Site({ host: "127.0.0.1", publicUrl: undefined, webUrl: undefined }),
      limits: new RateLimits(limiter, {
        requestsPerMinute: 0,
        badKeysPerMinute: 0,
        webhookRequestsPer10Seconds: 0,
        webhookRequestsPerIp: 0,
      }),
      logger: createLogger({ level: "silent", format: "json", terminal: false }),
      trustProxy: [],
      isUnavailable: () => false,
      workload: new Workload({ pool: database.pool, maxInHand: MAX_IN_HAND / 4 }),
      onAnswer: (route) => {
        if (route === "overloaded") refused++;
      },
    });
    address = await server.listen({ host: "127.0.0.1", port: 0 });
  });
  afterEach(async () => {
    release();
    await server.close();
    await database.drop();
  });

  const post = (path: string, headers: Record<string, string> = {}) =>
    fetch(address + path, { method: "POST", headers });

  /** Sends requests and waits until they are being worked on. */
  async function hold(path: string, count: number): Promise<{ statuses(): Promise<number[]> }> {
    const answers: Promise<Response>[] = [];
    for (let sent = 0; sent < count; sent++) {
      const arrived = once(arrivals, "arrival");
      answers.push(post(path));
      await arrived;
    }
    return { statuses: async () => (await Promise.all(answers)).map(({ status }) => status) };
  }

  it("refuses the next one at once, with Retry-After and in the caller's language", async () => {
    await hold("/work", MAX_IN_HAND);
    const answer = await post("/work", { "x-locale": "de" });
    expect(answer.status).toBe(503);
    expect(answer.headers.get("retry-after")).toBe("1");
    expect(answer.headers.get("x-request-id")).toMatch(/^req_/);
    const body = errorBody.parse(await answer.json());
    expect(body).toMatchObject({ code: "service_unavailable", error: "Dienst nicht verfügbar" });
    expect(refused).toBe(1);
  });

  it("still answers its probes", async () => {
    await hold("/work", MAX_IN_HAND);
    for (const path of ["/healthz", "/readyz", "/metrics"])
      expect((await fetch(address + path)).status).toBe(200);
  });

  it("answers those it has, and then takes new ones", async () => {
    const held = await hold("/work", MAX_IN_HAND);
    expect((await post("/work")).status).toBe(503);
    release();
    expect(await held.statuses()).toEqual([200, 200, 200, 200]);
    expect((await post("/work")).status).toBe(200);
  });

  it("does not count those that wait for a reply", async () => {
    await hold("/chat", MAX_IN_HAND + 2);
    await hold("/work", 1);
    release();
    expect((await post("/work")).status).toBe(200);
    expect(refused).toBe(0);
  });
});

describe("a service whose database connections are all taken", () => {
  it("refuses until there is one again, and says that it is alive", async () => {
    const service = await startTestService({ MILLRACE_REQUESTS_AT_ONCE: "256" });
    const keys = await addTwoOrganizations(service.database.pool);
    const untilStatus = async (status: number) => {
      for (;;) {
        const answer = await service.get("/api/auth/validate", keys.one);
        if (answer.status === status) return answer;
      }
    };
    await untilStatus(200);
    const taken = await Promise.all(Array.from({ length: 10 }, () => service.database.pool.connect()));
    const waiting = service.get("/api/flows", keys.one);
    expect((await untilStatus(503)).headers.get("retry-after")).toBe("1");
    expect((await service.get("/healthz")).status).toBe(200);
    for (const client of taken) client.release();
    await waiting;
    await untilStatus(200);
    await service.stop();
  });
});
