import type { FairShare } from "./fair-share.ts";

/**
 * Who waits for a place: first come first served inside an organization. Between organizations the one that holds the
 * fewest places is next, and those that hold as many take turns.
 */
export class FairQueue<Job extends { readonly organizationId: string }> {
  /** In the order of turns: who is served goes to the end. */
  readonly #lines = new Map<string, Set<Job>>();
  size = 0;

  add(job: Job): void {
    const line = this.#lines.get(job.organizationId);
    if (line) line.add(job);
    else this.#lines.set(job.organizationId, new Set([job]));
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
    for (const [organizationId, [job]] of this.#lines) {
      const held = share.heldBy(organizationId);
      if (held >= fewest || !mayRun(job!)) continue;
      chosen = job;
      fewest = held;
      if (held === 0) break;
    }
    if (chosen) this.#serve(chosen);
    return chosen;
  }

  #serve(job: Job): void {
    const line = this.#lines.get(job.organizationId)!;
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
    const jobs = [...this.#lines.values()].flatMap((line) => [...line]);
    this.#lines.clear();
    this.size = 0;
    return jobs;
  }
}
