import { composeAgentChat } from "./compose/agent-chat.ts";
import { composeConnections } from "./compose/connections.ts";
import { composeConsoleRoutes } from "./compose/console.ts";
import { composeEntrance, type Entrance } from "./compose/entrance.ts";
import { composeEngine } from "./compose/engine.ts";
import { type Foundation, layFoundation, type ServiceOptions } from "./compose/foundation.ts";
import { composeDeployRoutes } from "./compose/deploy-routes.ts";
import { composeMcpRoutes } from "./compose/mcp.ts";
import { composeManageRoutes } from "./compose/manage-routes.ts";
import { composePresence } from "./compose/presence.ts";
import { composeReplayRoutes, composeReplays } from "./compose/replay-routes.ts";
import { composeInsightRoutes } from "./compose/run-insight.ts";
import { composeJobRoutes, startJobs } from "./compose/jobs.ts";
import { composeEndWaits, composeRunRoutes, composeRunWatch, composeStart } from "./compose/run-routes.ts";
import { composeShareRoutes } from "./compose/share-routes.ts";
import { composeWebhookRoutes, startEventDelivery } from "./compose/webhooks.ts";
import { composeServiceInsightRoutes } from "./compose/service-insight.ts";
import { composeServiceMetrics } from "./compose/service-metrics.ts";
import type { Config } from "./config/settings.ts";
import type { Engine } from "./engine/engine.ts";
import { prepareClose } from "./http/close-server.ts";
import { RateLimits } from "./http/middleware/rate-limit.ts";
import type { Route } from "./http/route.ts";
import { getAgentRoute } from "./http/routes/get-agent.ts";
import { getFlowGraphRoute } from "./http/routes/manage/get-flow-graph.ts";
import { getFlowRoute } from "./http/routes/get-flow.ts";
import { listAgentsRoute } from "./http/routes/list-agents.ts";
import { listFlowsRoute } from "./http/routes/list-flows.ts";
import { listenAt } from "./http/doors.ts";
import { documentationRoutes, probeRoutes } from "./http/routes/service.ts";
import { validateKeyRoute } from "./http/routes/validate-key.ts";
import { buildServer, routesOf } from "./http/server.ts";
import { EventStreams } from "./http/sse.ts";
import { Shutdown } from "./lifecycle/shutdown.ts";
import { Workload } from "./lifecycle/workload.ts";
import { RateLimiter } from "./operations/auth/rate-limiter.ts";
import type { RunFlowTool } from "./operations/agent-chat/flow-tool.ts";
import { ResumeLinks } from "./operations/runs/resume-links.ts";
import { runAndWait } from "./operations/runs/run-and-wait.ts";
import type { StartContext } from "./operations/runs/start-run.ts";
import { startFailureFlows } from "./operations/failures/start-failure-flows.ts";
import { fireSchedules } from "./operations/schedules/fire-schedules.ts";
import { StatisticsDesk } from "./operations/statistics/statistics-desk.ts";
import type { NotedFailure } from "./storage/failures/find-failures.ts";
import { ping } from "./storage/ping.ts";
import { isDatabaseUnavailable } from "./storage/pool.ts";
import { WakeUps } from "./storage/wake-ups.ts";

export interface Service {
  /** Where it answers: workers answer probes and metrics alone. */
  readonly address: string;
  /** What the router really holds, as `GET /path/{parameter}`. */
  readonly routes: readonly string[];
  readonly engine: Engine | undefined;
  stop(): Promise<void>;
}

/** The composition root: every part is made here, or by a part of it in compose/, and handed only what it uses. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { config, role, database, logger } = options;
  const shutdown = new Shutdown();
  const stop = () =>
    shutdown.run((step, error) => logger.error({ err: error, duty: step }, "a part did not stop cleanly"));
  try {
    const foundation = await layFoundation(options, shutdown);
    const { changes } = foundation;
    const watch = composeRunWatch(foundation);
    const statistics = new StatisticsDesk(foundation.pools.api);
    composeServiceMetrics(foundation, { watch, statistics });
    // Agents run flows, and flows chat with agents: the one that is made first gets the other by name.
    let runFlowTool: RunFlowTool | undefined;
    const agents = composeAgentChat(foundation, (call) => runFlowTool!(call), options.chatSettings);
    let address = "";
    const webUrl = () => config.webUrl ?? config.publicUrl ?? address;
    const links = new ResumeLinks(foundation.secrets, webUrl);
    const engine = role === "api" ? undefined : await composeEngine(foundation, agents.chat, links);
    if (!engine) composePresence(foundation);
    const wakeUps = new WakeUps({
      connection: database.connection,
      lockKey: engine?.process.lockKey ?? 0,
      onWakeUp: () => {
        engine?.wake();
        engine?.hear();
        watch.wake();
      },
      onError: (error) => logger.warn({ err: error }, "the connection for wake-ups was lost"),
    });
    shutdown.add("wake-ups", () => wakeUps.stop());
    await wakeUps.start();
    changes.onChanged(() => wakeUps.send());

    const streams = new EventStreams();
    const waits = composeEndWaits(foundation, watch);
    const start = composeStart(foundation, engine, () => wakeUps.send());
    runFlowTool = (call) => runAndWait({ ...start, watch }, call);
    const jobs = engine && startJobs(foundation, engine, start);
    if (engine) {
      startSchedules(foundation, start);
      startFailureDuty(foundation, start);
      startEventDelivery(foundation, engine, links);
    }
    const publicUrl = () => config.publicUrl ?? address;
    const entrance = composeEntrance(foundation, publicUrl);
    const replays = composeReplays(foundation);
    const api =
      role === "worker"
        ? []
        : [
            ...catalogueRoutes(foundation),
            ...composeInsightRoutes(foundation, { streams, statistics }),
            ...composeServiceInsightRoutes(foundation, statistics),
            ...composeRunRoutes(foundation, { engine, start, watch, streams, waits, links }),
            ...composeJobRoutes(foundation, jobs),
            ...composeShareRoutes(foundation, webUrl),
            ...agents.routes(streams),
            ...composeWebhookRoutes(start, waits),
            ...composeManageRoutes(foundation, entrance, { webUrl, publicUrl }),
            ...(await composeConsoleRoutes(config)),
            ...composeDeployRoutes(foundation, { start, engine, replays }),
            ...composeReplayRoutes(foundation, replays),
            ...composeMcpRoutes(foundation, entrance, {
              engine,
              start,
              watch,
              links,
              streams,
              replays,
              publicUrl,
            }),
          ];
    let open = true;
    const server = composeServer(foundation, entrance, api, () => open);
    shutdown.add("streams", () => streams.close());
    shutdown.add("waiting requests", () => waits.close());
    shutdown.add("agent chat", () => agents.stop());
    // Stopped first: nobody is sent here any more while the replies that are being written come to their end.
    shutdown.add("readiness", () => {
      open = false;
    });
    address = await listen(server, config);
    database.announce({ address, host: config.host });
    return { address, routes: routesOf(server), engine, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function startSchedules({ pools, clock, logger, startDuty }: Foundation, start: StartContext): void {
  const context = {
    ...start,
    db: pools.engine,
    now: () => clock.now(),
    onSkipped: ({ organizationId, flowId }: { organizationId: string; flowId: string }, error: unknown) =>
      logger.warn({ err: error, organizationId, flowId }, "a schedule could not start its flow"),
  };
  startDuty({ name: "schedules", intervalMs: 1_000, runOnce: () => fireSchedules(context) });
}

function startFailureDuty({ pools, clock, logger, startDuty }: Foundation, start: StartContext): void {
  const context = {
    ...start,
    db: pools.engine,
    now: () => clock.now(),
    onSkipped: ({ organizationId, flowId, runId, handlerId }: NotedFailure, error: unknown) =>
      logger.warn(
        { err: error, organizationId, flowId, runId, handlerId },
        "a flow could not be started for a failed run",
      ),
  };
  startDuty({ name: "failures", intervalMs: 1_000, runOnce: () => startFailureFlows(context) });
}

function catalogueRoutes({ pools }: Foundation): Route[] {
  const context = { db: pools.api };
  return [
    validateKeyRoute,
    listFlowsRoute(context),
    getFlowRoute(context),
    getFlowGraphRoute(context),
    listAgentsRoute(context),
    getAgentRoute(context),
  ];
}

function composeServer(
  foundation: Foundation,
  entrance: Entrance,
  api: readonly Route[],
  isOpen: () => boolean,
): ReturnType<typeof buildServer> {
  const { config, pools, clock, logger, metrics, version, shutdown, startDuty } = foundation;
  const nowMs = () => clock.nowMs();
  const limiter = new RateLimiter(pools.api, nowMs);
  startDuty({ name: "rate-limits", intervalMs: 250, runOnce: () => limiter.exchange() });

  const probes = probeRoutes({
    ready: async () => isOpen() && (await ping(pools.api)),
    metrics: () => metrics.render(),
  });
  const routes = [...api, ...probes];
  const server = buildServer({
    workload: composeWorkload(foundation),
    connections: composeConnections(foundation),
    routes: [...routes, ...documentationRoutes(routes, version)],
    ...entrance,
    limits: new RateLimits(limiter, config),
    logger,
    trustProxy: config.trustProxy,
    isUnavailable: isDatabaseUnavailable,
    onAnswer: (route, status, seconds) => metrics.requests.observe(seconds, route, status),
  });
  shutdown.add("http", prepareClose(server));
  return server;
}

function composeWorkload({ config, pools, shutdown }: Foundation): Workload | undefined {
  if (config.requestsAtOnce === 0) return undefined;
  const workload = new Workload({ pool: pools.api, maxInHand: config.requestsAtOnce });
  workload.start();
  shutdown.add("workload", () => workload.stop());
  return workload;
}

const LISTEN_FAULTS: Record<string, (config: Config) => string> = {
  EADDRINUSE: ({ host, port }) =>
    `Port ${port} on ${host} is taken; stop what uses it, or set PORT to another one.`,
  EACCES: ({ host, port }) =>
    `Port ${port} on ${host} may not be used by this user; set PORT to 1024 or higher.`,
  EADDRNOTAVAIL: ({ host }) => `HOST ${host} is not an address of this machine.`,
};

// Of a crowd that comes at once, whoever finds no place here tries again after seconds; the system may allow fewer.
const CONNECTIONS_IN_LINE = 4_096;

async function listen(server: ReturnType<typeof buildServer>, config: Config): Promise<string> {
  try {
    return await listenAt(server, { host: config.host, port: config.port, backlog: CONNECTIONS_IN_LINE });
  } catch (error) {
    const fault = LISTEN_FAULTS[(error as { code?: string }).code ?? ""];
    throw fault ? new Error(fault(config), { cause: error }) : error;
  }
}
