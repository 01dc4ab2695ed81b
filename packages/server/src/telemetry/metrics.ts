import { collectDefaultMetrics, Counter, Gauge, Registry } from "prom-client";
import { RequestHistogram } from "./request-histogram.ts";

/** Every figure at /metrics; a label is always from a small fixed set. */
export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const collectors: (() => void)[] = [];
  const requests = new RequestHistogram();
  return {
    /** Figures that are cheaper to work out when asked for. */
    onCollect(collect: () => void): void {
      collectors.push(collect);
    },
    async render(): Promise<{ contentType: string; text: string }> {
      for (const collect of collectors) collect();
      return { contentType: registry.contentType, text: `${await registry.metrics()}${requests.render()}` };
    },
    requests,
    databaseErrors: new Counter({
      name: "millrace_database_errors_total",
      help: "Lost or failed database connections",
      registers,
    }),
    oldestTransaction: new Gauge({
      name: "millrace_oldest_transaction_seconds",
      help: "Age of the transaction that has kept PostgreSQL from cleaning up for the longest time",
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
