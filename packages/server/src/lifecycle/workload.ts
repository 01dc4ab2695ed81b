/** A pool of connections, as far as one can stand in line for it. */
interface Line {
  readonly waitingCount: number;
  connect(): Promise<{ release(): void }>;
}

export interface WorkloadOptions {
  readonly pool: Line;
  readonly nowMs?: () => number;
  /** Requests being worked on at once; beyond it nobody would be answered in time. */
  readonly mostInHand?: number;
}

const LOOK_MS = 100;
const MOST_LOOP_DELAY_MS = 200;
const MOST_POOL_WAIT_MS = 500;
const MOST_IN_HAND = 1_000;

/** How much this process has to do, and whether it is more than it can do in time. */
export class Workload {
  readonly #pool: Line;
  readonly #nowMs: () => number;
  readonly #mostInHand: number;
  #timer: NodeJS.Timeout | undefined;
  #inHand = 0;
  #lookedAtMs: number;
  #loopDelayMs = 0;
  #poolWaitMs = 0;
  #inLineSinceMs: number | undefined;
  #slow = false;

  constructor({ pool, nowMs, mostInHand }: WorkloadOptions) {
    this.#pool = pool;
    this.#nowMs = nowMs ?? (() => performance.now());
    this.#mostInHand = mostInHand ?? MOST_IN_HAND;
    this.#lookedAtMs = this.#nowMs();
  }

  get overloaded(): boolean {
    return this.#slow || this.#inHand >= this.#mostInHand;
  }

  begin(): void {
    this.#inHand++;
  }

  end(): void {
    this.#inHand--;
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
    const lateMs = Math.max(0, nowMs - this.#lookedAtMs - LOOK_MS);
    this.#lookedAtMs = nowMs;
    // One pause, as of a garbage collection, is no overload: only those that follow each other are.
    this.#loopDelayMs = (this.#loopDelayMs + lateMs) / 2;
    this.#standInLine(nowMs);
    const poolWaitMs = this.#inLineSinceMs === undefined ? this.#poolWaitMs : nowMs - this.#inLineSinceMs;
    this.#slow = this.#loopDelayMs > MOST_LOOP_DELAY_MS || poolWaitMs > MOST_POOL_WAIT_MS;
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
