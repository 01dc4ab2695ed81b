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

  /** The next job whose organization may have a place; the place is taken for it. */
  next(share: FairShare, mayRun: (organizationId: string) => boolean = () => true): Job | undefined {
    let chosen: string | undefined;
    let fewest = Infinity;
    for (const organizationId of this.#lines.keys()) {
      const held = share.heldBy(organizationId);
      if (held >= fewest || share.roomFor(organizationId) === 0 || !mayRun(organizationId)) continue;
      chosen = organizationId;
      fewest = held;
      if (held === 0) break;
    }
    if (chosen === undefined) return undefined;
    const line = this.#lines.get(chosen)!;
    const [job] = line;
    this.remove(job!);
    if (line.size > 0) {
      this.#lines.delete(chosen);
      this.#lines.set(chosen, line);
    }
    share.hold(chosen);
    return job;
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
