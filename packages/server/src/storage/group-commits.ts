import { GroupCommit, type GroupLimits } from "./group-commit.ts";

/** A group commit for each key, for as long as it has work. */
export class GroupCommits<Item, Result> {
  readonly #flush: (key: string, items: Item[]) => Promise<Result[]>;
  readonly #limits: GroupLimits<Item>;
  readonly #groups = new Map<string, GroupCommit<Item, Result>>();

  constructor(flush: (key: string, items: Item[]) => Promise<Result[]>, limits: GroupLimits<Item>) {
    this.#flush = flush;
    this.#limits = limits;
  }

  async add(key: string, item: Item): Promise<Result> {
    let group = this.#groups.get(key);
    if (!group) {
      group = new GroupCommit((items) => this.#flush(key, items), this.#limits);
      this.#groups.set(key, group);
    }
    try {
      return await group.add(item);
    } finally {
      if (group.idle) this.#groups.delete(key);
    }
  }
}
