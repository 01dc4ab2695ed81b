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

/** What it prints. */
export interface LoadReport {
  /** Milliseconds since 1970 at which the first request was sent. */
  readonly startedAtMs: number;
  readonly seconds: number;
  readonly answers: number;
  readonly perSecond: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly errors: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}
