import { SharedConnections } from "../http/shared-connections.ts";
import { maxOpenFiles } from "../lifecycle/open-files.ts";
import type { Foundation } from "./foundation.ts";

/** PostgreSQL, child processes and calls need as many. */
const SHARE_OF_FILES = 0.5;
const TELL_EVERY_MS = 60_000;

export function composeConnections({
  config,
  clock,
  logger,
  metrics,
}: Foundation): SharedConnections | undefined {
  if (config.connections === 0) return undefined;
  const max = Math.min(config.connections, Math.floor(SHARE_OF_FILES * maxOpenFiles()));
  let refused = 0;
  let toldAtMs = -Infinity;
  const onRefused = (network: string) => {
    refused += 1;
    metrics.connectionsRefused.inc();
    if (clock.nowMs() - toldAtMs < TELL_EVERY_MS) return;
    logger.warn(
      { refused, network, max },
      "connections were refused: too many are open, or too many by one address",
    );
    refused = 0;
    toldAtMs = clock.nowMs();
  };
  const connections = new SharedConnections({ max, onRefused });
  metrics.onCollect(() => metrics.connectionsOpen.set(connections.open));
  return connections;
}
