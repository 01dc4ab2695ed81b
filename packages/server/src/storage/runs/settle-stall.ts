import { Client } from "pg";
import { MAX_LOSSES, type RunFailure } from "../../domain/run.ts";
import { embeddedConnection, embeddedPaths } from "../embedded/paths.ts";
import { type Connection, connectionOf } from "../primary-client.ts";
import type { Db } from "../pool.ts";
import { loseStatement } from "./reap-runs.ts";
import { releaseRunsOf } from "./release-runs.ts";

/** Whose work a process stood still in; without a run or a flow it was no run's fault. */
export interface StallCause {
  readonly organizationId?: string;
  readonly runId?: string;
  readonly flowId?: string;
  /** With the rounds of containers: `inner[2].fetch[3]`. */
  readonly nodeKey?: string;
}

/**
 * For a process that stands still and is about to be ended, from a connection of its own. The run it stands in counts
 * a lost worker; the others are given back at no cost, before anybody can take them for lost as well.
 */
export async function settleStall(
  cause: StallCause,
  process: {
    readonly processId: string;
    readonly limitMs: number;
    readonly databaseUrl: string | undefined;
    readonly dataDirectory: string;
  },
): Promise<void> {
  const connection: Connection =
    process.databaseUrl === undefined
      ? await embeddedConnection(embeddedPaths(process.dataDirectory))
      : connectionOf(process.databaseUrl);
  const client = new (connection.Client ?? Client)({
    ...connection,
    application_name: "millrace watchdog",
    connectionTimeoutMillis: 1_500,
    options: "-c statement_timeout=2s -c lock_timeout=1s",
  });
  client.on("error", () => {});
  await client.connect();
  try {
    await blameRuns(client, cause, process);
    await releaseRunsOf(client, process.processId);
  } finally {
    await client.end();
  }
}

const BLAME_RUNS = loseStatement(`
       SELECT organization_id, id FROM runs
        WHERE process_id = $2 AND status = 'EXECUTING' AND organization_id = $3 AND (id = $4 OR ($4 IS NULL AND flow_id = $5))
        ORDER BY organization_id, id FOR UPDATE`);

/** A flow that cannot be compiled in time stands for all runs of it that this process holds. */
async function blameRuns(
  db: Db,
  { organizationId, runId, flowId, nodeKey }: StallCause,
  { processId, limitMs }: { processId: string; limitMs: number },
): Promise<void> {
  if (runId === undefined && flowId === undefined) return;
  const place = nodeKey === undefined ? "" : ` in node ${nodeKey}`;
  const error: RunFailure = {
    name: "ServiceStalled",
    message: `The run stopped the service for longer than ${limitMs / 1000} s${place}, and its worker was lost ${MAX_LOSSES} times.`,
    ...(nodeKey !== undefined && { nodeId: nodeIdOf(nodeKey) }),
  };
  await db.query(
    BLAME_RUNS([JSON.stringify(error), processId, organizationId, runId ?? null, flowId ?? null]),
  );
}

function nodeIdOf(nodeKey: string): string {
  return nodeKey.slice(nodeKey.lastIndexOf(".") + 1).replace(/\[\d+\]$/, "");
}
