import { createHash } from "node:crypto";
import { FairQueue } from "../../domain/fair-queue.ts";
import { FairShare } from "../../domain/fair-share.ts";
import type { SocketDialer } from "../socket-dialer.ts";
import { UpstreamError } from "../upstream-error.ts";
import { converse, type ForeignRequest } from "./foreign-call.ts";
import { ForeignChild } from "./foreign-child.ts";

/** Servers of other protocols than HTTP, spoken with by child processes: no byte of theirs is read in the service. */
export interface ForeignServers {
  /** The JSON text of what came out, or an UpstreamError. */
  call(request: ForeignRequest): Promise<string>;
  close(): Promise<void>;
}

export interface ForeignServersOptions {
  readonly dial: SocketDialer;
  readonly maxChildren?: number;
  /** How long a child waits for the next call of its credential. */
  readonly idleMs?: number;
  readonly maxWaitMs?: number;
  /** One call with all it takes, of either protocol. */
  readonly maxCallMs?: number;
}

const defaultMaxCallMs = { postgres: 75_000, smtp: 120_000 };

const callsAtOncePerChild = 16;
const callsPerChild = 500;
const maxWornRssBytes = 160 * 1024 * 1024;
const maxWaiting = 2_000;
const maxWaitingPerOrganization = 200;
/** Far beyond what a start takes on the most crowded machine: it ends one that will never be ready. */
const startTimeoutMs = 30_000;
const spareMs = 600_000;

interface Seat {
  readonly child: ForeignChild;
  /** The credential it belongs to, for good; none while it is a spare one. */
  owner?: { readonly organizationId: string; readonly key: string };
  calls: number;
  served: number;
  idleTimer?: NodeJS.Timeout;
}

interface Waiting {
  readonly organizationId: string;
  readonly key: string;
  readonly resolve: (seat: Seat) => void;
}

export function createForeignServers(options: ForeignServersOptions): ForeignServers {
  return new ForeignServerPool(options);
}

class ForeignServerPool implements ForeignServers {
  readonly #dial: SocketDialer;
  readonly #maxChildren: number;
  /** Of the children with calls. */
  readonly #share: FairShare;
  readonly #idleMs: number;
  readonly #maxWaitMs: number;
  readonly #maxCallMs: number | undefined;
  readonly #seats = new Set<Seat>();
  readonly #queue = new FairQueue<Waiting>();
  #closed = false;

  constructor({
    dial,
    maxChildren = 8,
    idleMs = 60_000,
    maxWaitMs = 60_000,
    maxCallMs,
  }: ForeignServersOptions) {
    this.#dial = dial;
    this.#maxChildren = maxChildren;
    this.#share = new FairShare(maxChildren);
    this.#idleMs = idleMs;
    this.#maxWaitMs = maxWaitMs;
    this.#maxCallMs = maxCallMs;
  }

  async call(request: ForeignRequest): Promise<string> {
    const { organizationId, call, signal } = request;
    const seat = await this.#enter(organizationId, keyOf(request), signal);
    try {
      const started = await Promise.race([
        seat.child.ready.then(() => true),
        seat.child.died.then(() => false),
      ]);
      if (!started) throw busy("The process for this connection could not be started. Try again.");
      signal.throwIfAborted();
      const maxMs = this.#maxCallMs ?? defaultMaxCallMs[call.protocol];
      return await converse(seat.child, this.#dial, request, maxMs);
    } finally {
      this.#leave(seat);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    const seats = [...this.#seats];
    for (const seat of seats) this.#end(seat);
    await Promise.all(seats.map(({ child }) => child.died));
  }

  #enter(organizationId: string, key: string, signal: AbortSignal): Promise<Seat> {
    signal.throwIfAborted();
    const full =
      this.#queue.size >= maxWaiting || this.#queue.waitingOf(organizationId) >= maxWaitingPerOrganization;
    if (this.#closed || full)
      throw busy("Too many calls to databases and mail servers wait already. Try again later.");
    return new Promise((resolve, reject) => {
      const leave = (reason: unknown) => this.#queue.remove(waiting) && reject(reason as Error);
      const tooLong = setTimeout(
        () => leave(busy("Other calls to databases and mail servers took too long. Try again later.")),
        this.#maxWaitMs,
      );
      const onAbort = () => leave(signal.reason);
      const waiting: Waiting = {
        organizationId,
        key,
        resolve: (seat) => {
          clearTimeout(tooLong);
          signal.removeEventListener("abort", onAbort);
          resolve(seat);
        },
      };
      signal.addEventListener("abort", onAbort, { once: true });
      this.#queue.add(waiting);
      this.#dispatch();
    });
  }

  #leave(seat: Seat): void {
    seat.calls -= 1;
    seat.served += 1;
    if (seat.calls === 0) {
      this.#share.giveBack(seat.owner!.organizationId);
      if (isWorn(seat) || this.#closed) this.#end(seat);
      else this.#endLater(seat, this.#idleMs);
    }
    this.#dispatch();
    this.#keepSpare();
  }

  #dispatch(): void {
    for (;;) {
      const waiting = this.#queue.take(this.#share, (next) => this.#hasPlaceFor(next));
      if (!waiting) return;
      const seat = this.#seatOf(waiting) ?? this.#freshSeat(waiting);
      clearTimeout(seat.idleTimer);
      if (seat.calls === 0) this.#share.hold(waiting.organizationId);
      seat.calls += 1;
      waiting.resolve(seat);
    }
  }

  #hasPlaceFor(waiting: Waiting): boolean {
    return this.#seatOf(waiting) !== undefined || this.#share.roomFor(waiting.organizationId) > 0;
  }

  #seatOf({ key }: Waiting): Seat | undefined {
    return [...this.#seats].find(
      (seat) => seat.owner?.key === key && seat.calls < callsAtOncePerChild && !isWorn(seat),
    );
  }

  /** A child that has not spoken with anybody yet. */
  #freshSeat(owner: Waiting): Seat {
    const spare = [...this.#seats].find((seat) => seat.owner === undefined);
    const seat = spare ?? this.#start();
    seat.owner = owner;
    if (this.#seats.size > this.#maxChildren) {
      const idle = [...this.#seats].find(
        ({ calls, owner }) => calls === 0 && owner !== undefined && owner !== seat.owner,
      );
      if (idle) this.#end(idle);
    }
    return seat;
  }

  /** Whoever comes with another credential finds a child that has started. */
  #keepSpare(): void {
    if (this.#closed || this.#seats.size >= this.#maxChildren) return;
    const spare = [...this.#seats].find((seat) => seat.owner === undefined) ?? this.#start();
    this.#endLater(spare, spareMs);
  }

  #start(): Seat {
    const seat: Seat = { child: new ForeignChild(), calls: 0, served: 0 };
    this.#seats.add(seat);
    const slow = setTimeout(() => seat.child.kill(), startTimeoutMs);
    void seat.child.ready.then(() => clearTimeout(slow));
    void seat.child.died.then(() => {
      clearTimeout(slow);
      clearTimeout(seat.idleTimer);
      this.#seats.delete(seat);
      this.#dispatch();
    });
    return seat;
  }

  #endLater(seat: Seat, ms: number): void {
    clearTimeout(seat.idleTimer);
    seat.idleTimer = setTimeout(() => this.#end(seat), ms).unref();
  }

  #end(seat: Seat): void {
    this.#seats.delete(seat);
    seat.child.kill();
  }
}

/** Has served enough, or grown: no new call comes to it. */
function isWorn({ child, served, calls }: Seat): boolean {
  return served + calls >= callsPerChild || child.rssBytes > maxWornRssBytes;
}

/** Calls with the same secret to the same server may meet in one child, no others. */
function keyOf({ organizationId, port, call }: ForeignRequest): string {
  const { protocol, host, tls } = call;
  const login = call.protocol === "postgres" ? [call.user, call.password, call.database] : [call.login];
  const identity = JSON.stringify([organizationId, protocol, host, port, tls, ...login]);
  return createHash("sha256").update(identity).digest("base64");
}

function busy(message: string): UpstreamError {
  return new UpstreamError("ConnectionsBusy", message);
}
