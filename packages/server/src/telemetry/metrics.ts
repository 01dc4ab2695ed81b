import { readdir } from "node:fs/promises";
import { collectDefaultMetrics, Counter, Gauge, Registry } from "prom-client";
import { Histogram } from "./histogram.ts";

/** Lists of all connections, made with each scrape, and of all files, read while everything waits. */
const COSTLY = [
  "nodejs_active_handles",
  "nodejs_active_handles_total",
  "nodejs_active_requests",
  "nodejs_active_requests_total",
  "nodejs_active_resources",
  "nodejs_active_resources_total",
  "process_open_fds",
];
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

/** Every figure at /metrics; a label is always from a small fixed set. */
export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of COSTLY) registry.removeSingleMetric(name);
  const registers = [registry];
  const collectors: (() => void | Promise<void>)[] = [];
  const texts: (() => Promise<string> | string)[] = [];
  const counter = <Label extends string = never>(name: string, help: string, labelNames: Label[] = []) =>
    new Counter({ name, help, labelNames, registers });
  const gauge = <Label extends string = never>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge({ name, help, labelNames, registers });
  const histogram = (options: ConstructorParameters<typeof Histogram>[0]) => {
    const made = new Histogram(options);
    texts.push(() => made.render());
    return made;
  };
  const openFiles = gauge("process_open_fds", "Number of open file descriptors.");
  collectors.push(async () => openFiles.set(await countOpenFiles()));
  return {
    /** Figures that are cheaper to work out when asked for. */
    onCollect(collect: () => void | Promise<void>): void {
      collectors.push(collect);
    },
    /** Figures that are written down as a whole, or not at all. */
    addText(render: () => Promise<string> | string): void {
      texts.push(render);
    },
    async render(): Promise<{ contentType: string; text: string }> {
      for (const collect of collectors) await collect();
      const others = await Promise.all(texts.map(async (render) => render()));
      return { contentType: registry.contentType, text: [await registry.metrics(), ...others].join("") };
    },
    requests: histogram({
      name: "millrace_http_request_seconds",
      help: "Answered requests by route and status",
      labels: ["route", "status"],
      buckets: SECONDS,
    }),
    nodes: histogram({
      name: "millrace_node_seconds",
      help: "Executions of nodes by type and status",
      labels: ["type", "status"],
      buckets: [0.001, 0.01, 0.05, 0.1, 0.5, 1, 5, 30, 300],
    }),
    groupCommits: histogram({
      name: "millrace_group_commit_items",
      help: "How many writes were gathered into one statement",
      labels: ["batch"],
      buckets: [1, 2, 5, 10, 25, 50, 100, 250],
    }),
    runsEnded: counter("millrace_runs_ended_total", "Runs that this process has ended, by status", [
      "status",
    ]),
    epochsLost: counter(
      "millrace_epochs_lost_total",
      "Writes that were refused because the run was in other hands by then",
    ),
    recoveries: counter("millrace_recoveries_total", "Runs that were taken over from lost workers"),
    creditsRefused: counter("millrace_credits_refused_total", "Triggers refused for want of credits"),
    deliveries: counter("millrace_event_deliveries_total", "Attempts to deliver an event, by outcome", [
      "outcome",
    ]),
    chatReplies: counter("millrace_chat_replies_total", "Replies of agents that have ended, by outcome", [
      "outcome",
    ]),
    chatRepliesOpen: gauge("millrace_chat_replies_open", "Replies of agents that are being written here"),
    runsHere: gauge("millrace_runs_here", "Runs that this process executes"),
    runMemory: gauge("millrace_run_memory_bytes", "Approximate memory taken by the values of the runs here"),
    connectionsOpen: gauge("millrace_connections_open", "Connections of callers to this process"),
    connectionsRefused: counter(
      "millrace_connections_refused_total",
      "Connections refused because there were too many, or too many from one address",
    ),
    streamsOpen: gauge("millrace_streams_open", "Streams of runs that are open here"),
    poolConnections: gauge("millrace_pool_connections", "Connections to the database, by pool and state", [
      "pool",
      "state",
    ]),
    poolWaiting: gauge("millrace_pool_waiting", "Queries that wait for a connection, by pool", ["pool"]),
    spansDropped: counter("millrace_spans_dropped_total", "Spans of traces that no collector took"),
    databaseErrors: counter("millrace_database_errors_total", "Lost or failed database connections"),
    oldestTransaction: gauge(
      "millrace_oldest_transaction_seconds",
      "Age of the transaction that has kept PostgreSQL from cleaning up for the longest time",
    ),
    dutyAge: gauge(
      "millrace_duty_last_success_age_seconds",
      "Seconds since a background duty last succeeded",
      ["duty"],
    ),
  };
}

/** Not a number where the system does not list them. */
async function countOpenFiles(): Promise<number> {
  const listed = await readdir("/proc/self/fd").catch(() => undefined);
  return listed?.length ?? NaN;
}

export type Metrics = ReturnType<typeof createMetrics>;
/** What the engine counts. */
export type EngineMetrics = Pick<Metrics, "nodes" | "groupCommits" | "epochsLost" | "recoveries">;
