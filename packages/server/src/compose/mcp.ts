import { toRefusal } from "../http/errors.ts";
import type { Engine } from "../engine/engine.ts";
import { nodeTypes } from "../engine/nodes/registry.ts";
import { Questions } from "../http/mcp/questions.ts";
import type { Route } from "../http/route.ts";
import { mcpRoutes } from "../http/routes/mcp.ts";
import { protectedResourceRoutes, protectedResourceUrl } from "../http/routes/protected-resource.ts";
import type { EventStreams } from "../http/sse.ts";
import { Refusal } from "../domain/refusal.ts";
// The endpoint is loaded with its first use; statements have to be declared before.
import "../operations/tools/flow-tools.ts";
import { RunFollower } from "../operations/tools/run-follower.ts";
import type { ReplayDesk } from "../operations/backtest/replay-desk.ts";
import type { ResumeLinks } from "../operations/runs/resume-links.ts";
import type { RunWatch } from "../operations/runs/run-watch.ts";
import type { StartContext } from "../operations/runs/start-run.ts";
import { isDatabaseUnavailable } from "../storage/pool.ts";
import type { Entrance } from "./entrance.ts";
import type { Foundation } from "./foundation.ts";

const MAX_FOLLOWING = 2_000;

export interface McpParts {
  readonly engine: Engine | undefined;
  readonly start: StartContext;
  readonly watch: RunWatch;
  readonly links: ResumeLinks;
  readonly streams: EventStreams;
  readonly replays: ReplayDesk;
  readonly publicUrl: () => string;
}

/** /mcp: flows as tools for clients of the Model Context Protocol. */
export function composeMcpRoutes(
  { config, pools, clock, changes, logger, version, shutdown }: Foundation,
  { site }: Entrance,
  { engine, start, watch, links, streams, replays, publicUrl }: McpParts,
): Route[] {
  const follower = new RunFollower({ db: pools.api, watch, maxFollowing: MAX_FOLLOWING });
  shutdown.add("mcp calls", () => follower.close());
  const onMoved = (organizationId: string, runId: string) => {
    changes.publish([{ organizationId, id: runId }]);
    engine?.dispatch(organizationId);
  };
  const context = {
    ...start,
    pool: pools.api,
    catalogue: nodeTypes,
    links,
    follower,
    questions: new Questions(),
    replays,
    runPage: (runId: string) => `${publicUrl()}/console/runs/${runId}`,
    version,
    now: () => clock.now(),
    onResumed: onMoved,
    onCanceled: (organizationId: string, runId: string) => {
      engine?.worker.stopRuns([runId]);
      onMoved(organizationId, runId);
    },
    toRefusal: (error: unknown) => {
      const refusal = toRefusal(error, isDatabaseUnavailable);
      if (!refusal) logger.error({ err: error, route: "/mcp" }, "request failed");
      return refusal ?? new Refusal("internal_error");
    },
  };
  const issuer = config.oidcIssuer;
  const metadataUrl = () => (issuer === undefined ? undefined : protectedResourceUrl(publicUrl()));
  return [
    ...mcpRoutes({ context, streams, site, metadataUrl }),
    ...(issuer === undefined ? [] : protectedResourceRoutes(issuer, publicUrl)),
  ];
}
