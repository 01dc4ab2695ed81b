import { type NodeChange, tellInOrder, toNodeChange } from "../../domain/node-changes.ts";

type NodeChanges = Parameters<typeof tellInOrder>[1];
type Listener = (changes: readonly NodeChange[]) => void;

/** The nodes of one run, for all who want to hear of them: each from the first node on, in the order of what happened. */
export class NodeWatch {
  /** What all but those who join have been told. */
  readonly #told = new Map<string, NodeChange>();
  readonly #listeners = new Set<Listener>();
  readonly #joining = new Set<Listener>();
  #fresh: NodeChange[] = [];
  /** What came while the stored nodes are read; it is told after them. */
  #meanwhile: NodeChange[] | undefined;

  /** It is told nothing until the next `read`, and then everything. */
  join(listener: Listener): void {
    this.#joining.add(listener);
  }

  leave(listener: Listener): void {
    this.#joining.delete(listener);
    this.#listeners.delete(listener);
  }

  get hasListeners(): boolean {
    return this.#joining.size + this.#listeners.size > 0;
  }

  /** Somebody waits to be told everything. */
  get isJoined(): boolean {
    return this.#joining.size > 0;
  }

  isJoining(listener: Listener): boolean {
    return this.#joining.has(listener);
  }

  /** Keys of nodes that need not be read again. */
  known(): string[] {
    if (this.isJoined) return [];
    return [...this.#told.values()].flatMap(({ nodeKey, endedAt }) =>
      endedAt === undefined ? [] : [nodeKey],
    );
  }

  /** What one turn of the event loop brings is told together: a loop ends hundreds of nodes in it. */
  publish(change: NodeChange): void {
    if (this.#meanwhile) this.#meanwhile.push(toNodeChange(change));
    else if (this.#listeners.size > 0) {
      if (this.#fresh.length === 0) setImmediate(() => this.#tellFresh());
      this.#fresh.push(toNodeChange(change));
    }
  }

  /**
   * Tells what is stored. `live` is what this process knows of the run and may not have stored yet; it was looked at before
   * the stored nodes are, so that nothing lies in between.
   */
  async read(stored: Promise<readonly NodeChange[]>, live: Iterable<NodeChange> = []): Promise<void> {
    this.#tellFresh();
    const joined = [...this.#joining];
    const changes = { stored: [] as readonly NodeChange[], live: Array.from(live, toNodeChange) };
    this.#meanwhile = changes.live;
    try {
      changes.stored = await stored;
    } catch (error) {
      joined.length = 0;
      throw error;
    } finally {
      this.#meanwhile = undefined;
      this.#tell(changes);
      this.#welcome(joined, changes);
    }
  }

  #welcome(joined: readonly Listener[], changes: NodeChanges): void {
    const news = joined.length > 0 ? tellInOrder(new Map(), changes) : [];
    for (const listener of joined) {
      if (!this.#joining.delete(listener)) continue;
      this.#listeners.add(listener);
      if (news.length > 0) listener(news);
    }
  }

  #tellFresh(): void {
    const fresh = this.#fresh;
    this.#fresh = [];
    this.#tell({ live: fresh });
  }

  #tell(changes: NodeChanges): void {
    const news = tellInOrder(this.#told, changes);
    if (news.length === 0) return;
    for (const listener of this.#listeners) listener(news);
  }
}
