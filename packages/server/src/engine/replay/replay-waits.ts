import type { BegunWait, WaitPort, WaitToBegin } from "../flow-runner/run-types.ts";
import type { VirtualTime } from "./virtual-time.ts";

/** Waits of a replay: times alone, because whoever would be asked has been answered for. */
export class ReplayWaits implements WaitPort {
  readonly #time: VirtualTime;
  readonly #signal: AbortSignal;

  constructor(time: VirtualTime, signal: AbortSignal) {
    this.#time = time;
    this.#signal = signal;
  }

  async begin({ suspension, timeoutMs }: WaitToBegin): Promise<BegunWait> {
    const startedAt = this.#time.now();
    const expiresAt = timeoutMs === undefined ? undefined : startedAt + timeoutMs;
    if (suspension.kind === "container")
      return { startedAt, expiresAt, mayPause: true, answer: new Promise(() => {}) };
    if (suspension.kind !== "wait") throw new Error(`A replay does not wait for ${suspension.kind}`);
    const untilMs = "untilMs" in suspension ? suspension.untilMs : startedAt + suspension.durationMs;
    const answer = this.#time.sleepUntil(untilMs, this.#signal).then(() => ({
      answer: { waitedUntil: new Date(untilMs).toISOString() },
      answeredAt: Math.max(untilMs, startedAt),
    }));
    answer.catch(() => {});
    return { startedAt, expiresAt, mayPause: true, answer };
  }

  expiryOf(): undefined {
    return undefined;
  }

  end(): void {}

  suspend(): void {}

  async withdraw(): Promise<void> {}
}
