import { RateLimits } from "../../src/http/middleware/rate-limit.ts";
import type { Route } from "../../src/http/route.ts";
import { getQueueItemRoute } from "../../src/http/routes/get-queue-item.ts";
import { getRunRoute } from "../../src/http/routes/get-run.ts";
import { listFlowRunsRoute } from "../../src/http/routes/list-flow-runs.ts";
import { listQueueItemsRoute } from "../../src/http/routes/list-queue-items.ts";
import { listRunNodesRoute } from "../../src/http/routes/list-run-nodes.ts";
import { listRunsRoute } from "../../src/http/routes/list-runs.ts";
import { buildServer } from "../../src/http/server.ts";
import { Authenticator, sessionProof } from "../../src/operations/auth/authenticator.ts";
import { Site } from "../../src/http/site.ts";
import { RateLimiter } from "../../src/operations/auth/rate-limiter.ts";
import { ResumeLinks } from "../../src/operations/runs/resume-links.ts";
import type { Pool } from "pg";
import { isDatabaseUnavailable } from "../../src/storage/pool.ts";
import { SecretBox } from "../../src/storage/secret-box.ts";
import { createLogger } from "../../src/telemetry/logger.ts";
import { createTestDatabase } from "../support/database.ts";
import { type TestAnswer, testSecretKey } from "../support/service.ts";
import { addTwoOrganizations } from "../support/workspace.ts";

export const links = new ResumeLinks(new SecretBox(testSecretKey), () => "https://links.test");

/** The reading half of the service and no engine: rows stay as a test puts them. */
export async function startReadService(moreRoutes: (pool: Pool) => Route[] = () => []) {
  const database = await createTestDatabase();
  const { pool } = database;
  const nowMs = () => Date.now();
  const keys = await addTwoOrganizations(pool);
  const limiter = new RateLimiter(pool, nowMs);
  const context = { db: pool, nowMs, links };
  const server = buildServer({
    routes: [
      listRunsRoute(context),
      listFlowRunsRoute(context),
      getRunRoute(context),
      listRunNodesRoute(context),
      listQueueItemsRoute(context),
      getQueueItemRoute(context),
      ...moreRoutes(pool),
    ],
    authenticator: new Authenticator(pool, nowMs),
    sessions: new Authenticator(pool, nowMs, sessionProof),
    site: new Site({ host: "127.0.0.1", publicUrl: undefined, webUrl: undefined }),
    limits: new RateLimits(limiter, {
      requestsPerMinute: 0,
      badKeysPerMinute: 0,
      webhookRequestsPer10Seconds: 0,
      webhookRequestsPerIp: 0,
    }),
    logger: createLogger({ level: "silent", format: "json", terminal: false }),
    trustProxy: [],
    isUnavailable: isDatabaseUnavailable,
  });
  const address = await server.listen({ host: "127.0.0.1", port: 0 });
  return {
    address,
    pool,
    keys,
    async get(path: string, key: string | undefined = keys.one): Promise<TestAnswer> {
      const answer = await fetch(address + path, { headers: { authorization: `Bearer ${key}` } });
      return { status: answer.status, headers: answer.headers, body: await answer.json() };
    },
    async stop() {
      await server.close();
      await database.drop();
    },
  };
}

export type ReadService = Awaited<ReturnType<typeof startReadService>>;
