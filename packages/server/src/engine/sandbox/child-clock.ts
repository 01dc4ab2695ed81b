/** Looking at the processor's time takes longer than at the clock. */
const lookEveryMs = 5;
let lookAgainAtMs = 0;
let seenMs = 0;

/** Processor time of this thread: what a job is charged, however busy the machine is. A few milliseconds late. */
export function cpuMs(): number {
  const atMs = performance.now();
  if (atMs < lookAgainAtMs) return seenMs;
  lookAgainAtMs = atMs + lookEveryMs;
  const { user, system } = process.threadCpuUsage();
  seenMs = (user + system) / 1_000;
  return seenMs;
}

let flowNowMs = 0;

/** What `new Date()` is for the job under way. */
export function setFlowClock(nowMs: number): void {
  flowNowMs = nowMs;
}

const SystemDate = Date;

/** What JSONata takes for the clock: `new Date()` is the flow's now, and how long it has worked is asked by `Date.now()`. */
class FlowDate extends SystemDate {
  constructor(...parts: readonly unknown[]) {
    if (parts.length === 0) super(flowNowMs);
    else super(...(parts as [number]));
  }

  static override now(): number {
    return cpuMs();
  }
}

export function installFlowClock(): void {
  Object.seal(SystemDate);
  Object.seal(SystemDate.prototype);
  globalThis.Date = FlowDate as DateConstructor;
}
