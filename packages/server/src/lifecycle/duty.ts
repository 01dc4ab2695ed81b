import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics.ts";

/** Work that is done again and again in the background. Tests call `runOnce`. */
export interface Duty {
  readonly name: string;
  readonly intervalMs: number;
  runOnce(signal: AbortSignal): Promise<void>;
}

export interface DutyState {
  readonly name: string;
  readonly intervalMs: number;
  readonly lastSuccessAt: Date | undefined;
  /** Since the last success, with the name of the last one. */
  readonly failures: number;
  readonly lastError: string | undefined;
}

export interface RunningDuty {
  state(): DutyState;
  /** Does the next round now instead of at the end of the interval. */
  wake(): void;
  stop(): Promise<void>;
}

/** A loop that no error ends. How long ago it last succeeded is a figure at /metrics. */
export function superviseDuty(
  duty: Duty,
  { logger, metrics }: { logger: Logger; metrics: Metrics },
): RunningDuty {
  const stopping = new AbortController();
  let wakeUp = new AbortController();
  let lastSuccessMs = performance.now();
  let lastSuccessAt: Date | undefined;
  let failures = 0;
  let lastError: string | undefined;
  const report = () => metrics.dutyAge.set({ duty: duty.name }, (performance.now() - lastSuccessMs) / 1000);
  metrics.onCollect(report);

  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      wakeUp = new AbortController();
      try {
        await duty.runOnce(stopping.signal);
        lastSuccessMs = performance.now();
        lastSuccessAt = new Date();
        failures = 0;
        lastError = undefined;
      } catch (error) {
        failures += 1;
        lastError = error instanceof Error ? error.name : "Error";
        if (!stopping.signal.aborted)
          logger.warn({ err: error, duty: duty.name }, "a duty failed; it goes on");
      }
      // Spread over the processes, so that they do not all ask at the same moment.
      const pauseMs = duty.intervalMs * (0.9 + Math.random() * 0.2);
      await sleep(pauseMs, undefined, {
        signal: AbortSignal.any([stopping.signal, wakeUp.signal]),
        ref: false,
      }).catch(() => {});
    }
  };
  const running = loop();
  return {
    state: () => ({ name: duty.name, intervalMs: duty.intervalMs, lastSuccessAt, failures, lastError }),
    wake: () => wakeUp.abort(),
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}
