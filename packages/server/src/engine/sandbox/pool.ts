import { FairQueue } from "../../domain/fair-queue.ts";
import { FairShare } from "../../domain/fair-share.ts";
import { JsonFault, parseForeignJson } from "../../domain/json.ts";
import { eventLoop } from "../../lifecycle/event-loop.ts";
import { callChild, CANCELED, toRequest } from "./call-child.ts";
import { SandboxChild } from "./child-process.ts";
import type { ChildReply } from "./protocol.ts";
import { SandboxError, type Sandbox, type SandboxJob, type SandboxResult } from "./sandbox.ts";

export interface SandboxOptions {
  /** Children kept warm; one organization never holds them all (unless there is only one). Default 2. */
  readonly size?: number;
  /** After so many a child is replaced: whatever code has left in it goes with it. Default 200. */
  readonly callsPerChild?: number;
}

const DEFAULT_CALLS_PER_CHILD = 200;
const maxChildRssBytes = 150 * 1024 * 1024;
const startTimeoutMs = 10_000;
const maxFailedStarts = 3;

/**
 * Children are started by the first call, or before it by whoever knows that it comes, and replaced as soon as one ends.
 * Load fails no call: those that find no child wait their turn, for as long as their runs may take. Only as many can wait
 * as the runs of a process have branches and lanes.
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  return new SandboxPool(options);
}

interface Waiting {
  readonly organizationId: string;
  readonly isUrgent: boolean;
  readonly job: SandboxJob;
  readonly resolve: (result: SandboxResult) => void;
  readonly reject: (error: unknown) => void;
  readonly onAbort: () => void;
}

interface Seat {
  readonly child: SandboxChild;
  state: "starting" | "ready" | "ended";
  busyFor?: string;
  /** Has served enough; goes when its replacement is ready. */
  worn: boolean;
}

class SandboxPool implements Sandbox {
  readonly #size: number;
  readonly #callsPerChild: number;
  readonly #seats = new Set<Seat>();
  readonly #share: FairShare;
  readonly #queue = new FairQueue<Waiting>();
  /** Organizations whose last call cost a child: they wait until the pool is whole, so that others do not. */
  readonly #suspects = new Set<string>();
  #failedStarts = 0;
  /** A child that was started beforehand stays alone until there is something to do. */
  #hasServed = false;
  #closed = false;

  constructor(options: SandboxOptions) {
    this.#size = Math.max(1, options.size ?? 2);
    this.#callsPerChild = options.callsPerChild ?? DEFAULT_CALLS_PER_CHILD;
    this.#share = new FairShare(this.#size);
  }

  warm(): void {
    if (!this.#closed && this.#seats.size === 0) this.#start();
  }

  run(job: SandboxJob): Promise<SandboxResult> {
    return new Promise((resolve, reject) => {
      const refusal = this.#refusal(job);
      if (refusal) {
        reject(refusal);
        return;
      }
      const onAbort = () => {
        if (this.#queue.remove(waiting)) reject(CANCELED);
      };
      const { organizationId, isUrgent = false } = job;
      const waiting: Waiting = { organizationId, isUrgent, job, resolve, reject, onAbort };
      job.signal?.addEventListener("abort", onAbort, { once: true });
      this.#queue.add(waiting);
      this.#hasServed = true;
      this.#fill();
      this.#dispatch();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#rejectWaiting(stoppingError());
    const seats = [...this.#seats];
    for (const seat of seats) seat.child.kill();
    await Promise.all(seats.map((seat) => seat.child.died));
  }

  #refusal(job: SandboxJob): SandboxError | undefined {
    if (this.#closed) return stoppingError();
    return job.signal?.aborted ? CANCELED : undefined;
  }

  /** One after the other: two that start at once keep each other, and the first call, from getting on. */
  #fill(): void {
    if (this.#closed || this.#count((seat) => seat.state === "starting") > 0) return;
    if (this.#count((seat) => !seat.worn) < this.#size) this.#start();
  }

  #start(): void {
    const seat: Seat = { child: new SandboxChild(), state: "starting", worn: false };
    this.#seats.add(seat);
    const startTimer = setTimeout(() => seat.child.kill(), startTimeoutMs);
    void seat.child.ready.then(() => {
      clearTimeout(startTimer);
      seat.state = "ready";
      this.#failedStarts = 0;
      this.#retireWorn();
      this.#dispatch();
      if (this.#hasServed) this.#fill();
    });
    void seat.child.died.then(() => {
      clearTimeout(startTimer);
      this.#seats.delete(seat);
      if (seat.state === "starting") this.#failedStarts += 1;
      seat.state = "ended";
      if (this.#failedStarts < maxFailedStarts) this.#fill();
      else this.#giveUp();
    });
  }

  /** Starting again and again would help nobody; the next call tries anew. */
  #giveUp(): void {
    this.#failedStarts = 0;
    const message = "The sandbox for code and expressions could not be started.";
    this.#rejectWaiting(new SandboxError("SandboxLost", message));
  }

  #rejectWaiting(error: SandboxError): void {
    for (const { job, onAbort, reject } of this.#queue.drain()) {
      job.signal?.removeEventListener("abort", onAbort);
      reject(error);
    }
  }

  #retireWorn(): void {
    for (const seat of this.#seats) {
      if (seat.worn && seat.busyFor === undefined && this.#isWhole()) this.#remove(seat);
    }
  }

  #remove(seat: Seat): void {
    if (seat.busyFor !== undefined) this.#suspects.add(seat.busyFor);
    seat.state = "ended";
    seat.child.kill();
  }

  #dispatch(): void {
    for (;;) {
      const seat = [...this.#seats].find((seat) => seat.state === "ready" && seat.busyFor === undefined);
      if (!seat) return;
      if (this.#isWhole()) this.#suspects.clear();
      const waiting = this.#queue.next(this.#share, (organizationId) => !this.#suspects.has(organizationId));
      if (!waiting) return;
      seat.busyFor = waiting.organizationId;
      void this.#serve(seat, waiting);
    }
  }

  async #serve(seat: Seat, { organizationId, job, resolve, reject, onAbort }: Waiting): Promise<void> {
    job.signal?.removeEventListener("abort", onAbort);
    try {
      const reply = await this.#call(seat, job);
      // To read megabytes takes a whole slice: what is done with them begins in another one.
      await eventLoop.giveWay(organizationId);
      const result = toResult(reply);
      await eventLoop.giveWay(organizationId);
      resolve(result);
    } catch (error) {
      reject(error);
    } finally {
      delete seat.busyFor;
      this.#share.giveBack(organizationId);
      this.#retireWorn();
      this.#dispatch();
    }
  }

  async #call(seat: Seat, job: SandboxJob): Promise<ChildReply> {
    const request = await toRequest(job);
    if (job.signal?.aborted) throw CANCELED;
    try {
      const reply = await callChild(seat.child, request, job.signal);
      this.#checkHealth(seat, reply);
      return reply;
    } catch (error) {
      this.#remove(seat);
      throw error;
    }
  }

  #checkHealth(seat: Seat, reply: ChildReply): void {
    if (!reply.outcome.ok && reply.outcome.hostFault === true) {
      this.#remove(seat);
    } else if (seat.child.calls >= this.#callsPerChild || reply.rssBytes > maxChildRssBytes) {
      seat.worn = true;
      this.#fill();
    }
  }

  #isWhole(): boolean {
    return this.#count((seat) => seat.state === "ready" && !seat.worn) >= this.#size;
  }

  #count(which: (seat: Seat) => boolean): number {
    let count = 0;
    for (const seat of this.#seats) if (which(seat)) count += 1;
    return count;
  }
}

function toResult({ outcome, logs }: ChildReply): SandboxResult {
  if (!outcome.ok) throw new SandboxError(outcome.name, outcome.message, logs);
  if (outcome.valueText === undefined) return { value: undefined, logs };
  try {
    return { value: parseForeignJson(outcome.valueText), logs };
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    throw new SandboxError("SandboxOutput", `The result ${error.message}. Return less.`, logs);
  }
}

function stoppingError(): SandboxError {
  return new SandboxError("SandboxLost", "The service is stopping. Run it again.");
}
