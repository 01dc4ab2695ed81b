import type { FairShare } from "./fair-share.ts";

/** Of so many jobs of an organization that are served, one is taken whose turn it is although urgent ones wait. */
const urgentInARow = 3;

/**
 * Who waits for a place: first come first served inside an organization, urgent jobs before others. Between organizations the one that holds the
 * fewest places is next, and those that hold as many take turns.
 */
export class FairQueue<Job extends { readonly organizationId: string; readonly isUrgent?: boolean }> {
  /** In the order of turns: who is served goes to the end. */
  readonly #lines = new Map<string, Line<Job>>();
  size = 0;

  add(job: Job): void {
    const line = this.#lines.get(job.organizationId);
    if (line) line.add(job);
    else this.#lines.set(job.organizationId, new Line(job));
    this.size += 1;
  }

  waitingOf(organizationId: string): number {
    return this.#lines.get(organizationId)?.size ?? 0;
  }

  /** The next job whose organization may have a place; the place is taken for it. */
  next(share: FairShare, mayRun: (organizationId: string) => boolean = () => true): Job | undefined {
    const job = this.take(
      share,
      ({ organizationId }) => share.roomFor(organizationId) > 0 && mayRun(organizationId),
    );
    if (job) share.hold(job.organizationId);
    return job;
  }

  /** The next job that may run, for those that do not need a place each. */
  take(share: FairShare, mayRun: (job: Job) => boolean): Job | undefined {
    let chosen: Job | undefined;
    let fewest = Infinity;
    for (const [organizationId, line] of this.#lines) {
      const held = share.heldBy(organizationId);
      const job = line.next();
      if (held >= fewest || !mayRun(job)) continue;
      chosen = job;
      fewest = held;
      if (held === 0) break;
    }
    if (chosen) this.#serve(chosen);
    return chosen;
  }

  #serve(job: Job): void {
    const line = this.#lines.get(job.organizationId)!;
    line.serve(job);
    this.remove(job);
    if (line.size === 0) return;
    this.#lines.delete(job.organizationId);
    this.#lines.set(job.organizationId, line);
  }

  remove(job: Job): boolean {
    const line = this.#lines.get(job.organizationId);
    if (!line?.delete(job)) return false;
    if (line.size === 0) this.#lines.delete(job.organizationId);
    this.size -= 1;
    return true;
  }

  drain(): Job[] {
    const jobs = [...this.#lines.values()].flatMap((line) => line.all());
    this.#lines.clear();
    this.size = 0;
    return jobs;
  }
}

/** The jobs of one organization. */
class Line<Job extends { readonly isUrgent?: boolean }> {
  readonly #urgent = new Set<Job>();
  readonly #others = new Set<Job>();
  #inARow = 0;

  constructor(first: Job) {
    this.add(first);
  }

  get size(): number {
    return this.#urgent.size + this.#others.size;
  }

  add(job: Job): void {
    this.#setOf(job).add(job);
  }

  delete(job: Job): boolean {
    return this.#setOf(job).delete(job);
  }

  /** A line is never empty. */
  next(): Job {
    const isTurnOfOthers = this.#urgent.size === 0 || (this.#inARow >= urgentInARow && this.#others.size > 0);
    const [job] = isTurnOfOthers ? this.#others : this.#urgent;
    return job!;
  }

  serve(job: Job): void {
    this.#inARow = job.isUrgent ? this.#inARow + 1 : 0;
  }

  all(): Job[] {
    return [...this.#urgent, ...this.#others];
  }

  #setOf({ isUrgent }: Job): Set<Job> {
    return isUrgent ? this.#urgent : this.#others;
  }
}
