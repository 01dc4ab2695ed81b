/** Jobs that wait for a child: first come first served inside an organization, taking turns between them. */
export class WaitingRoom<Job extends { readonly organizationId: string }> {
  /** In the order of turns: who is served goes to the end. */
  readonly #lines = new Map<string, Job[]>();
  size = 0;

  add(job: Job): void {
    const line = this.#lines.get(job.organizationId);
    if (line) line.push(job);
    else this.#lines.set(job.organizationId, [job]);
    this.size += 1;
  }

  waitingOf(organizationId: string): number {
    return this.#lines.get(organizationId)?.length ?? 0;
  }

  /** The next job of an organization that may have one more child. */
  take(mayRun: (organizationId: string, next: Job) => boolean): Job | undefined {
    for (const [organizationId, line] of this.#lines) {
      const job = line[0];
      if (job === undefined || !mayRun(organizationId, job)) continue;
      line.shift();
      this.size -= 1;
      this.#lines.delete(organizationId);
      if (line.length > 0) this.#lines.set(organizationId, line);
      return job;
    }
    return undefined;
  }

  remove(job: Job): boolean {
    const line = this.#lines.get(job.organizationId);
    const index = line?.indexOf(job) ?? -1;
    if (!line || index < 0) return false;
    line.splice(index, 1);
    if (line.length === 0) this.#lines.delete(job.organizationId);
    this.size -= 1;
    return true;
  }

  drain(): Job[] {
    const jobs = [...this.#lines.values()].flat();
    this.#lines.clear();
    this.size = 0;
    return jobs;
  }
}
