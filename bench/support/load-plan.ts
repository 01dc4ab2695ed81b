import type { HttpRequest } from "./http-connection.ts";

/** What the load generator is told on stdin. */
export interface LoadPlan {
  readonly port: number;
  /** Sent in turn, starting over at the end. */
  readonly requests: readonly HttpRequest[];
  readonly connections: number;
  readonly seconds: number;
  /** Closed loop: stop after so many answers, even if time is left. */
  readonly most?: number;
  /** Open loop: requests a second, whatever the answers do. Without it every connection sends as fast as it is answered. */
  readonly perSecond?: number;
  /** Closed loop: a rest between an answer and the next request. */
  readonly pauseMs?: number;
}

export interface Latency {
  readonly answers: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

/** What it prints. */
export interface LoadReport {
  /** Milliseconds since 1970 at which the first request was sent. */
  readonly startedAtMs: number;
  readonly seconds: number;
  /** CPU time the generator itself took: what it takes, the service on the same machine does not have. */
  readonly cpuSeconds: number;
  readonly answers: number;
  readonly perSecond: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly byStatus: Readonly<Record<string, Latency>>;
  /** Answers 429 and 503 that do not say when to come back. */
  readonly withoutRetryAfter: number;
  /** Open loop: requests that were due when time was up, and for which no connection had become free. */
  readonly unsent: number;
  readonly errors: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}
