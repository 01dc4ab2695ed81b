import { WaitingRoom } from "../../children/waiting-room.ts";
import { JsonFault, parseForeignJson } from "../../domain/json.ts";
import { callChild, canceledError, toRequest } from "./call-child.ts";
import { SandboxChild } from "./child-process.ts";
import type { ChildReply } from "./protocol.ts";
import { SandboxError, type Sandbox, type SandboxJob, type SandboxResult } from "./sandbox.ts";

export interface SandboxOptions {
  /** Children kept warm; one organization never holds them all (unless there is only one). Default 2. */
  readonly size?: number;
  /** Calls that may wait, of all and of one organization. */
  readonly maxWaiting?: number;
  readonly maxWaitingPerOrganization?: number;
}

const callsPerChild = 200;
const maxChildRssBytes = 150 * 1024 * 1024;
const startTimeoutMs = 10_000;
const maxFailedStarts = 3;

/** Children are started by the first call, all at once, and replaced as soon as one ends. */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  return new SandboxPool(options);
}

interface Waiting {
  readonly organizationId: string;
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
  readonly #maxPerOrganization: number;
  readonly #maxWaiting: number;
  readonly #maxWaitingPerOrganization: number;
  readonly #seats = new Set<Seat>();
  readonly #room = new WaitingRoom<Waiting>();
  /** Organizations whose last call cost a child: they wait until the pool is whole, so that others do not. */
  readonly #suspects = new Set<string>();
  #failedStarts = 0;
  #closed = false;

  constructor(options: SandboxOptions) {
    this.#size = Math.max(1, options.size ?? 2);
    this.#maxPerOrganization = Math.max(1, this.#size - 1);
    this.#maxWaiting = options.maxWaiting ?? 5_000;
    this.#maxWaitingPerOrganization = options.maxWaitingPerOrganization ?? 500;
  }

  run(job: SandboxJob): Promise<SandboxResult> {
    return new Promise((resolve, reject) => {
      const refusal = this.#refusal(job);
      if (refusal) {
        reject(refusal);
        return;
      }
      const onAbort = () => {
        if (this.#room.remove(waiting)) reject(canceledError());
      };
      const waiting: Waiting = { organizationId: job.organizationId, job, resolve, reject, onAbort };
      job.signal?.addEventListener("abort", onAbort, { once: true });
      this.#room.add(waiting);
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
    if (job.signal?.aborted) return canceledError();
    const ownLineFull = this.#room.waitingOf(job.organizationId) >= this.#maxWaitingPerOrganization;
    if (!ownLineFull && this.#room.size < this.#maxWaiting) return undefined;
    const message =
      "Too many code and expression calls wait already. Lower the concurrency, or try again later.";
    return new SandboxError("SandboxBusy", message);
  }

  #fill(): void {
    if (this.#closed) return;
    for (let fresh = this.#count((seat) => !seat.worn); fresh < this.#size; fresh += 1) this.#start();
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
    for (const { job, onAbort, reject } of this.#room.drain()) {
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
    while (this.#count((seat) => seat.busyFor !== undefined) < this.#size) {
      const seat = [...this.#seats].find((seat) => seat.state === "ready" && seat.busyFor === undefined);
      if (!seat) return;
      const waiting = this.#room.take((organizationId) => this.#mayRun(organizationId));
      if (!waiting) return;
      seat.busyFor = waiting.organizationId;
      void this.#serve(seat, waiting);
    }
  }

  #mayRun(organizationId: string): boolean {
    if (this.#isWhole()) this.#suspects.clear();
    if (this.#suspects.has(organizationId)) return false;
    return this.#count((seat) => seat.busyFor === organizationId) < this.#maxPerOrganization;
  }

  async #serve(seat: Seat, { job, resolve, reject, onAbort }: Waiting): Promise<void> {
    job.signal?.removeEventListener("abort", onAbort);
    try {
      const reply = await this.#call(seat, job);
      resolve(toResult(reply));
    } catch (error) {
      reject(error);
    } finally {
      delete seat.busyFor;
      this.#retireWorn();
      this.#dispatch();
    }
  }

  async #call(seat: Seat, job: SandboxJob): Promise<ChildReply> {
    const request = toRequest(job);
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
    } else if (seat.child.calls >= callsPerChild || reply.rssBytes > maxChildRssBytes) {
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
