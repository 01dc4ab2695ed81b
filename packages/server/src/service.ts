import { makeGetAgent } from "./operations/agents/get-agent.ts";
import { makeListAgents } from "./operations/agents/list-agents.ts";
import { Authenticator } from "./operations/auth/authenticator.ts";
import { RateLimiter } from "./operations/auth/rate-limiter.ts";
import { makeGetFlow } from "./operations/flows/get-flow.ts";
import { makeListFlows } from "./operations/flows/list-flows.ts";
import type { Config } from "./config/settings.ts";
import { RateLimits } from "./http/middleware/rate-limit.ts";
import type { Route } from "./http/route.ts";
import { getAgent } from "./http/routes/get-agent.ts";
import { getFlow } from "./http/routes/get-flow.ts";
import { listAgents } from "./http/routes/list-agents.ts";
import { listFlows } from "./http/routes/list-flows.ts";
import { documentationRoutes, probeRoutes } from "./http/routes/service.ts";
import { validateKey } from "./http/routes/validate-key.ts";
import { buildServer, routesOf } from "./http/server.ts";
import { type Duty, superviseDuty } from "./lifecycle/duty.ts";
import { Shutdown } from "./lifecycle/shutdown.ts";
import { DatabaseClock } from "./storage/database-clock.ts";
import type { Database } from "./storage/open-database.ts";
import { isDatabaseUnavailable } from "./storage/pool.ts";
import type { Logger } from "./telemetry/logger.ts";
import { createMetrics } from "./telemetry/metrics.ts";
import { version } from "./version.ts";

export type ServiceRole = "all" | "api" | "worker";

export interface ServiceOptions {
  readonly config: Config;
  readonly role: ServiceRole;
  readonly database: Database;
  readonly logger: Logger;
}

export interface Service {
  /** Where it answers: workers answer probes and metrics alone. */
  readonly address: string;
  /** What the router really holds, as `GET /path/{parameter}`. */
  readonly routes: readonly string[];
  stop(): Promise<void>;
}

/** The composition root: every part is made here and handed only what it uses. */
export async function startService({ config, role, database, logger }: ServiceOptions): Promise<Service> {
  const shutdown = new Shutdown();
  const stop = () =>
    shutdown.run((step, error) => logger.error({ err: error, duty: step }, "a part did not stop cleanly"));
  try {
    const metrics = createMetrics();
    const { pool } = database;
    const clock = new DatabaseClock(pool);
    await clock.calibrate();
    const nowMs = () => clock.nowMs();
    const startDuty = (duty: Duty) => {
      const running = superviseDuty(duty, { logger, metrics });
      shutdown.add(duty.name, running.stop);
      return running;
    };
    startDuty({ name: "clock", intervalMs: 10_000, runOnce: () => clock.calibrate() });

    const authenticator = new Authenticator(pool, nowMs);
    startDuty({ name: "key-use", intervalMs: 60_000, runOnce: () => authenticator.flushLastUsed() });
    shutdown.add("key-use", () => authenticator.flushLastUsed());
    const limiter = new RateLimiter(pool, nowMs);
    startDuty({ name: "rate-limits", intervalMs: 250, runOnce: () => limiter.exchange() });

    let open = true;
    const probes = probeRoutes({
      ready: async () => open && (await pool.query("SELECT 1")).rowCount === 1,
      metrics: () => metrics.render(),
    });
    const api: Route[] =
      role === "worker"
        ? []
        : [
            validateKey,
            listFlows(makeListFlows(pool)),
            getFlow(makeGetFlow(pool)),
            listAgents(makeListAgents(pool)),
            getAgent(makeGetAgent(pool)),
          ];
    const routes = [...api, ...probes];
    const server = buildServer({
      routes: [...routes, ...documentationRoutes(routes, version)],
      authenticator,
      limits: new RateLimits(limiter, config),
      logger,
      trustProxy: config.trustProxy,
      isUnavailable: isDatabaseUnavailable,
      onAnswer: (route, status, seconds) => metrics.requests.observe({ route, status }, seconds),
    });
    shutdown.add("http", () => server.close());
    shutdown.add("readiness", () => {
      open = false;
    });
    const address = await listen(server, config);
    database.announce(address);
    return { address, routes: routesOf(server), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function listen(server: ReturnType<typeof buildServer>, { host, port }: Config): Promise<string> {
  try {
    return await server.listen({ host, port });
  } catch (error) {
    const code = (error as { code?: string }).code;
    if (code === "EADDRINUSE")
      throw new Error(`Port ${port} on ${host} is taken; stop what uses it, or set PORT to another one.`);
    if (code === "EACCES")
      throw new Error(`Port ${port} on ${host} may not be used by this user; set PORT to 1024 or higher.`);
    if (code === "EADDRNOTAVAIL") throw new Error(`HOST ${host} is not an address of this machine.`);
    throw error;
  }
}
