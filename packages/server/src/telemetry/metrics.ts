import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";

/** Every figure at /metrics; a label is always from a small fixed set. */
export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const collectors: (() => void)[] = [];
  return {
    /** Figures that are cheaper to work out when asked for. */
    onCollect(collect: () => void): void {
      collectors.push(collect);
    },
    async render(): Promise<{ contentType: string; text: string }> {
      for (const collect of collectors) collect();
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
    requests: new Histogram({
      name: "millrace_http_request_seconds",
      help: "Answered requests by route and status",
      labelNames: ["route", "status"],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
      registers,
    }),
    databaseErrors: new Counter({
      name: "millrace_database_errors_total",
      help: "Lost or failed database connections",
      registers,
    }),
    dutyAge: new Gauge({
      name: "millrace_duty_last_success_age_seconds",
      help: "Seconds since a background duty last succeeded",
      labelNames: ["duty"],
      registers,
    }),
  };
}

export type Metrics = ReturnType<typeof createMetrics>;
