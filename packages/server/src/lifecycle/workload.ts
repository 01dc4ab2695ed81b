/** A pool of connections, as far as one can stand in line for it. */
interface Line {
  readonly waitingCount: number;
  connect(): Promise<{ release(): void }>;
}

export interface WorkloadOptions {
  readonly pool: Line;
  readonly nowMs?: () => number;
  /** Requests being worked on at once for longer than a moment. */
  readonly maxInHand: number;
}

const LOOK_MS = 100;
const MAX_POOL_WAIT_MS = 500;
// A burst is worked off in a moment; for longer, more in hand makes everybody wait and nothing go faster.
const BURST_TIMES = 4;
const BURST_MS = 500;
const STRICT_MS = 1_000;

/** How much this process has to do, and whether it can take more and still answer in time. */
export class Workload {
  readonly #pool: Line;
  readonly #nowMs: () => number;
  readonly #maxInHand: number;
  #timer: NodeJS.Timeout | undefined;
  #inHand = 0;
  /** Since the last look. */
  #leastInHand = 0;
  #turnedAway = false;
  #crowdedMs = 0;
  #strictUntilMs = 0;
  #maxNow: number;
  #lookedAtMs: number;
  #poolWaitMs = 0;
  #inLineSinceMs: number | undefined;
  #lineIsLong = false;

  constructor({ pool, nowMs, maxInHand }: WorkloadOptions) {
    this.#pool = pool;
    this.#nowMs = nowMs ?? (() => performance.now());
    this.#maxInHand = maxInHand;
    this.#maxNow = maxInHand * BURST_TIMES;
    this.#lookedAtMs = this.#nowMs();
  }

  /** Whether one more request can be taken. */
  takesMore(): boolean {
    if (this.#inHand < this.#maxNow) return !this.#lineIsLong;
    this.#turnedAway = true;
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
    this.#lookedAtMs = this.#nowMs();
    this.#timer = setInterval(() => this.look(), LOOK_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  look(): void {
    const nowMs = this.#nowMs();
    const sinceMs = nowMs - this.#lookedAtMs;
    this.#lookedAtMs = nowMs;
    this.#lookAtCrowd(nowMs, sinceMs);
    this.#standInLine(nowMs);
    const poolWaitMs = this.#inLineSinceMs === undefined ? this.#poolWaitMs : nowMs - this.#inLineSinceMs;
    this.#lineIsLong = poolWaitMs > MAX_POOL_WAIT_MS;
  }

  /** Bursts are allowed again once nobody had to be turned away for a while. */
  #lookAtCrowd(nowMs: number, sinceMs: number): void {
    this.#crowdedMs = this.#leastInHand >= this.#maxInHand ? this.#crowdedMs + sinceMs : 0;
    if (this.#crowdedMs >= BURST_MS || this.#turnedAway) this.#strictUntilMs = nowMs + STRICT_MS;
    this.#maxNow = this.#maxInHand * (nowMs < this.#strictUntilMs ? 1 : BURST_TIMES);
    this.#leastInHand = this.#inHand;
    this.#turnedAway = false;
  }

  /** The wait for a connection is known by waiting for one, as every request does. */
  #standInLine(nowMs: number): void {
    if (this.#inLineSinceMs !== undefined) return;
    this.#poolWaitMs = 0;
    if (this.#pool.waitingCount === 0) return;
    this.#inLineSinceMs = nowMs;
    const leave = () => {
      this.#poolWaitMs = this.#nowMs() - nowMs;
      this.#inLineSinceMs = undefined;
    };
    this.#pool.connect().then((client) => {
      client.release();
      leave();
    }, leave);
  }
}
