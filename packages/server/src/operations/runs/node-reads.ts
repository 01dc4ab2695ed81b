import type { Db } from "../../storage/pool.ts";
import type { LiveNodes } from "./live-nodes.ts";
import type { NodeWatch } from "./node-watch.ts";
import { readNodeChanges } from "./read-node-changes.ts";

interface WantedNodes {
  readonly organizationId: string;
  readonly runId: string;
  readonly nodes: NodeWatch;
  /** Called when all that is stored was told, or cannot be read. */
  readonly onRead: () => void;
}

const MAX_ORGANIZATIONS_AT_ONCE = 4;
/** One statement reads so many runs of an organization. */
const RUNS_AT_ONCE = 20;

/**
 * Reads stored nodes for streams, each organization by itself: one whose records are large or cannot be read delays nobody
 * else. Organizations take turns.
 */
export class NodeReads {
  readonly #db: Db;
  readonly #live: LiveNodes | undefined;
  /** By organization, in the order of turns, and by run. */
  readonly #wanted = new Map<string, Map<string, WantedNodes>>();
  readonly #reading = new Set<string>();

  constructor(db: Db, live: LiveNodes | undefined) {
    this.#db = db;
    this.#live = live;
  }

  /** What was wanted for the same run before and is not begun is wanted no more. */
  want(wanted: WantedNodes): void {
    const { organizationId, runId } = wanted;
    const runs = this.#wanted.get(organizationId) ?? new Map<string, WantedNodes>();
    runs.set(runId, wanted);
    this.#wanted.set(organizationId, runs);
    this.#next();
  }

  #next(): void {
    for (const [organizationId, runs] of this.#wanted) {
      if (this.#reading.size >= MAX_ORGANIZATIONS_AT_ONCE) return;
      if (this.#reading.has(organizationId)) continue;
      const some = [...runs.values()].slice(0, RUNS_AT_ONCE);
      for (const { runId } of some) runs.delete(runId);
      this.#wanted.delete(organizationId);
      if (runs.size > 0) this.#wanted.set(organizationId, runs);
      this.#reading.add(organizationId);
      // Where the database cannot be used now, the watch's poll asks again.
      void this.#read(some)
        .catch(() => {})
        .finally(() => {
          this.#reading.delete(organizationId);
          this.#next();
        });
    }
  }

  async #read(wanted: readonly WantedNodes[]): Promise<void> {
    const asked = wanted.map(({ organizationId, runId: id, nodes }) => ({
      organizationId,
      id,
      known: nodes.known(),
    }));
    const found = readNodeChanges(this.#db, asked);
    const read = async ({ runId, nodes, onRead }: WantedNodes) => {
      await nodes.read(
        found.then((changes) => changes.get(runId) ?? []),
        this.#live?.of(runId),
      );
      onRead();
    };
    await Promise.all(wanted.map(read));
  }
}
