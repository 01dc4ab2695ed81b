import { setTimeout as sleep } from "node:timers/promises";
import { isTerminal } from "../domain/run-status.ts";
import type { RunWatch } from "../operations/runs/run-watch.ts";
import type { StatisticsDesk } from "../operations/statistics/statistics-desk.ts";
import type { Pool } from "../storage/pool.ts";
import { readServiceFigures, type ServiceFigures } from "../storage/statistics/read-service-figures.ts";
import { type GaugeValues, gaugeText } from "../telemetry/gauge-text.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import type { Foundation } from "./foundation.ts";

/** A scrape is answered whatever the database does. */
const MAX_WAIT_MS = 2_000;

/** What is counted as it happens, and what is looked up when somebody asks. */
export function composeServiceMetrics(
  { metrics, pools, changes }: Foundation,
  { watch, statistics }: { readonly watch: RunWatch; readonly statistics: StatisticsDesk },
): void {
  changes.onChanged((changed) => {
    for (const { status } of changed)
      if (status !== undefined && isTerminal(status)) metrics.runsEnded.inc({ status });
  });
  metrics.onCollect(() => {
    metrics.streamsOpen.set(watch.listeners);
    for (const [name, pool] of Object.entries(pools)) setPool(metrics, name, pool);
  });
  metrics.addText(async () => {
    const figures = await Promise.race([
      statistics.ask("service figures", readServiceFigures).catch(() => undefined),
      sleep(MAX_WAIT_MS, undefined, { ref: false }),
    ]);
    return figures ? figuresText(figures) : "";
  });
}

function setPool(
  { poolConnections, poolWaiting }: Metrics,
  pool: string,
  { totalCount, idleCount, waitingCount }: Pool,
): void {
  poolConnections.set({ pool, state: "used" }, totalCount - idleCount);
  poolConnections.set({ pool, state: "idle" }, idleCount);
  poolWaiting.set({ pool }, waitingCount);
}

/** The same in every process: take the largest, not the sum. */
function figuresText(figures: ServiceFigures): string {
  const { queued, ready, delayed, executing, paused } = figures;
  const gauges: [name: string, help: string, values: GaugeValues][] = [
    [
      "millrace_runs",
      "Runs that have not ended, by state; ready ones have a slot and wait for a worker",
      { label: "state", values: { queued, ready, delayed, executing, paused } },
    ],
    [
      "millrace_queue_oldest_seconds",
      "How long the oldest queued run waits for a slot",
      figures.queuedAge ?? 0,
    ],
    [
      "millrace_ready_oldest_seconds",
      "How long the oldest run with a slot waits for a worker",
      figures.readyAge ?? 0,
    ],
    ["millrace_slots_in_use", "Slots that runs hold, of all organizations together", figures.slotsInUse],
    ["millrace_slots_limit", "Slots that all organizations have together", figures.slotsLimit],
    [
      "millrace_event_deliveries_waiting",
      "Events that failed to be delivered and are sent again",
      figures.retrying,
    ],
    [
      "millrace_processes",
      "Processes that execute runs and were heard of in the last 15 seconds",
      figures.processes,
    ],
  ];
  return gauges.map((gauge) => gaugeText(...gauge)).join("");
}
