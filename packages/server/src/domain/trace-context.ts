import { hash } from "node:crypto";

/** Which trace something belongs to, as W3C Trace Context says it. */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 of them: whoever caused it. */
  readonly spanId: string;
  readonly isSampled: boolean;
}

const FORM = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const SAMPLED = 1;

/** Undefined where it is none: then a trace begins here. */
export function parseTraceparent(text: unknown): TraceContext | undefined {
  if (typeof text !== "string") return undefined;
  const [, traceId, spanId, flags, rest] = FORM.exec(text.trim()) ?? [];
  if (traceId === undefined || spanId === undefined) return undefined;
  // The first version has nothing behind the flags; a later one may.
  if (rest !== undefined && text.startsWith("00")) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags!, 16) & SAMPLED) === SAMPLED };
}

export function toTraceparent({ traceId, spanId, isSampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${isSampled ? "01" : "00"}`;
}

export interface RunTrace extends TraceContext {
  readonly parentSpanId: string | undefined;
}

/**
 * The trace of a run. It follows from the run and what triggered it, so every process that ever has the run says the same,
 * and nothing has to be stored for it.
 */
export function traceOfRun(runId: string, traceparent: unknown, ratio: number): RunTrace {
  const parent = parseTraceparent(traceparent);
  const traceId = parent?.traceId ?? hash("sha256", runId).slice(0, 32);
  return {
    traceId,
    spanId: hash("sha256", `${runId} run`).slice(0, 16),
    parentSpanId: parent?.spanId,
    isSampled: parent?.isSampled ?? isWithin(traceId, ratio),
  };
}

/** Of one node in one attempt of a run. */
export function nodeSpanId(runId: string, attempt: number, nodeKey: string): string {
  return hash("sha256", `${runId} ${attempt} ${nodeKey}`).slice(0, 16);
}

/** All processes choose the same traces. */
function isWithin(traceId: string, ratio: number): boolean {
  return Number.parseInt(traceId.slice(-8), 16) < ratio * 2 ** 32;
}

/** What triggers a run, with the trace of whoever asked for it; it is kept there, as a webhook's headers are. */
export function withTraceparent<Trigger extends { readonly headers?: Readonly<Record<string, unknown>> }>(
  trigger: Trigger | undefined,
  traceparent: string | undefined,
): Trigger | { readonly headers: Readonly<Record<string, unknown>> } | undefined {
  if (parseTraceparent(traceparent) === undefined || trigger?.headers?.["traceparent"] !== undefined)
    return trigger;
  return { ...trigger, headers: { ...trigger?.headers, traceparent } };
}
