/** A pool of connections, as far as its queue shows. */
interface PoolQueue {
  readonly waitingCount: number;
  connect(): Promise<{ release(): void }>;
}

export interface WorkloadOptions {
  readonly pool: PoolQueue;
  readonly nowMs?: () => number;
  /** How many requests may be in progress at once for longer than a burst. */
  readonly maxInHand: number;
}

const MEASURE_EVERY_MS = 100;
const MAX_POOL_WAIT_MS = 500;
// A short burst is fine; more requests in progress for longer make everybody wait and nothing faster.
const BURST_TIMES = 4;
const BURST_MS = 500;
const STRICT_MS = 1_000;

/** How many requests this process is working on, and whether it can take more and still answer in time. */
export class Workload {
  readonly #pool: PoolQueue;
  readonly #nowMs: () => number;
  readonly #maxInHand: number;
  #timer: NodeJS.Timeout | undefined;
  #inHand = 0;
  /** Since the last measurement. */
  #leastInHand = 0;
  #refused = false;
  #crowdedMs = 0;
  #strictUntilMs = 0;
  #maxNow: number;
  #measuredAtMs: number;
  #poolWaitMs = 0;
  #waitingSinceMs: number | undefined;
  #poolWaitIsLong = false;

  constructor({ pool, nowMs, maxInHand }: WorkloadOptions) {
    this.#pool = pool;
    this.#nowMs = nowMs ?? (() => performance.now());
    this.#maxInHand = maxInHand;
    this.#maxNow = maxInHand * BURST_TIMES;
    this.#measuredAtMs = this.#nowMs();
  }

  /** Whether one more request can be taken. */
  takesMore(): boolean {
    if (this.#inHand < this.#maxNow) return !this.#poolWaitIsLong;
    this.#refused = true;
    return false;
  }

  begin(): void {
    this.#inHand++;
  }

  end(): void {
    this.#inHand--;
    if (this.#inHand < this.#leastInHand) this.#leastInHand = this.#inHand;
  }

  start(): void {
    this.#measuredAtMs = this.#nowMs();
    this.#timer = setInterval(() => this.measure(), MEASURE_EVERY_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  measure(): void {
    const nowMs = this.#nowMs();
    const sinceMs = nowMs - this.#measuredAtMs;
    this.#measuredAtMs = nowMs;
    this.#limitBursts(nowMs, sinceMs);
    this.#measurePoolWait(nowMs);
    const poolWaitMs = this.#waitingSinceMs === undefined ? this.#poolWaitMs : nowMs - this.#waitingSinceMs;
    this.#poolWaitIsLong = poolWaitMs > MAX_POOL_WAIT_MS;
  }

  /** Bursts are allowed again once nothing was refused for a while. */
  #limitBursts(nowMs: number, sinceMs: number): void {
    this.#crowdedMs = this.#leastInHand >= this.#maxInHand ? this.#crowdedMs + sinceMs : 0;
    if (this.#crowdedMs >= BURST_MS || this.#refused) this.#strictUntilMs = nowMs + STRICT_MS;
    this.#maxNow = this.#maxInHand * (nowMs < this.#strictUntilMs ? 1 : BURST_TIMES);
    this.#leastInHand = this.#inHand;
    this.#refused = false;
  }

  /** Measured by waiting for a connection, as every request does. */
  #measurePoolWait(nowMs: number): void {
    if (this.#waitingSinceMs !== undefined) return;
    this.#poolWaitMs = 0;
    if (this.#pool.waitingCount === 0) return;
    this.#waitingSinceMs = nowMs;
    const end = () => {
      this.#poolWaitMs = this.#nowMs() - nowMs;
      this.#waitingSinceMs = undefined;
    };
    this.#pool.connect().then((client) => {
      client.release();
      end();
    }, end);
  }
}
