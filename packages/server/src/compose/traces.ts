import { hostname } from "node:os";
import { RunTracer } from "../engine/run-tracer.ts";
import { SpanExporter } from "../telemetry/traces/span-exporter.ts";
import type { Foundation } from "./foundation.ts";

/** Undefined where no collector is named: then nothing of it is there. */
export function composeTracer(foundation: Foundation): RunTracer | undefined {
  const { config, clock, metrics, processId, version, startDuty, shutdown } = foundation;
  if (config.tracesEndpoint === undefined) return undefined;
  const exporter = new SpanExporter({
    endpoint: config.tracesEndpoint,
    headers: config.tracesHeaders,
    resource: {
      "service.name": config.serviceName,
      "service.version": version,
      "service.instance.id": processId,
      "host.name": hostname(),
      "process.pid": String(process.pid),
    },
    version,
    onDropped: (count) => metrics.spansDropped.inc(count),
  });
  // Before the duty is started, so that it is sent after it has stopped: what the last runs did.
  shutdown.add("traces", () => exporter.flush());
  startDuty({ name: "traces", intervalMs: 1_000, runOnce: () => exporter.flush() });
  return new RunTracer({
    ratio: config.tracesRatio,
    nowMs: () => clock.nowMs(),
    add: (span) => exporter.add(span),
  });
}
