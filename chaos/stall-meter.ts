/**
 * How late this process itself is: a limit of seconds says something of the service only where the machine had time
 * for it. A timer that should fire every 50 ms tells by how much it came too late.
 */
export class StallMeter {
  readonly #stalls: { readonly atMs: number; readonly lateMs: number }[] = [];
  readonly #timer: NodeJS.Timeout;
  #expectedMs: number;

  constructor(intervalMs = 50, worthNotingMs = 40) {
    this.#expectedMs = performance.now() + intervalMs;
    this.#timer = setInterval(() => {
      const lateMs = performance.now() - this.#expectedMs;
      this.#expectedMs = performance.now() + intervalMs;
      if (lateMs > worthNotingMs) this.note(lateMs);
    }, intervalMs);
    this.#timer.unref();
  }

  /** The database's own slowness is noted here too: a probe of a millisecond that took a second. */
  note(lateMs: number): void {
    this.#stalls.push({ atMs: Date.now(), lateMs });
  }

  /**
   * What a limit is widened by: a service process waits for the same cores several times on its way (timer, query,
   * backend, answer), so four times the worst delay seen from ten seconds before until now.
   */
  allowanceMs(fromMs: number, toMs: number): number {
    let worstMs = 0;
    for (const { atMs, lateMs } of this.#stalls) {
      if (atMs >= fromMs - 10_000 && atMs - lateMs <= toMs) worstMs = Math.max(worstMs, lateMs);
    }
    return 4 * worstMs;
  }

  worstMs(): number {
    return this.#stalls.reduce((worst, { lateMs }) => Math.max(worst, lateMs), 0);
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
