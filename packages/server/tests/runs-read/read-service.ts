import { RateLimits } from "../../src/http/middleware/rate-limit.ts";
import type { Route } from "../../src/http/route.ts";
import { getQueueItem } from "../../src/http/routes/get-queue-item.ts";
import { getRun } from "../../src/http/routes/get-run.ts";
import { listFlowRuns } from "../../src/http/routes/list-flow-runs.ts";
import { listQueueItems } from "../../src/http/routes/list-queue-items.ts";
import { listRunNodes } from "../../src/http/routes/list-run-nodes.ts";
import { listRuns } from "../../src/http/routes/list-runs.ts";
import { buildServer } from "../../src/http/server.ts";
import { Authenticator } from "../../src/operations/auth/authenticator.ts";
import { RateLimiter } from "../../src/operations/auth/rate-limiter.ts";
import { makeGetFlow } from "../../src/operations/flows/get-flow.ts";
import { makeGetQueueItem } from "../../src/operations/queue/get-queue-item.ts";
import { makeListQueueItems } from "../../src/operations/queue/list-queue-items.ts";
import { makeGetRun } from "../../src/operations/runs/get-run.ts";
import { makeListFlowRuns } from "../../src/operations/runs/list-flow-runs.ts";
import { makeListRunNodes } from "../../src/operations/runs/list-run-nodes.ts";
import { makeListRuns } from "../../src/operations/runs/list-runs.ts";
import { isDatabaseUnavailable, type Pool } from "../../src/storage/pool.ts";
import { createLogger } from "../../src/telemetry/logger.ts";
import { createTestDatabase } from "../support/database.ts";
import type { TestAnswer } from "../support/service.ts";
import { addTwoOrganizations } from "../support/workspace.ts";

/** The reading half of the service and no engine: rows stay as a test puts them. */
export async function startReadService(moreRoutes: (pool: Pool) => Route[] = () => []) {
  const database = await createTestDatabase();
  const { pool } = database;
  const nowMs = () => Date.now();
  const keys = await addTwoOrganizations(pool);
  const limiter = new RateLimiter(pool, nowMs);
  const server = buildServer({
    routes: [
      listRuns(makeListRuns(pool, nowMs)),
      listFlowRuns(makeListFlowRuns(pool, makeGetFlow(pool), nowMs)),
      getRun(makeGetRun(pool, (run, nodeKey) => `https://links.test/${run.id}/${nodeKey}`)),
      listRunNodes(makeListRunNodes(pool)),
      listQueueItems(makeListQueueItems(pool)),
      getQueueItem(makeGetQueueItem(pool)),
      ...moreRoutes(pool),
    ],
    authenticator: new Authenticator(pool, nowMs),
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
