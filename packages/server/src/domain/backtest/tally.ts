import type { BacktestChange, BacktestResult } from "@millrace/contract/manage/replays";
import { nodeIdOf } from "../flow-test/node-key.ts";

const MAX_LISTED = 100;
/** Inputs of new calls may be large, and there are many runs. */
const MAX_INPUT_CHARACTERS = 10_000;

type Skipped = BacktestResult["skipped"][number];
type NodeTally = BacktestResult["nodes"][number];

/** What changes over many runs, counted by node. */
export class Tally {
  #unchanged = 0;
  readonly #changes: BacktestChange[] = [];
  #changed = 0;
  readonly #skipped: Skipped[] = [];
  readonly #nodes = new Map<string, NodeTally>();
  readonly #raced: string[] = [];

  pass(): void {
    this.#unchanged += 1;
  }

  skip(runId: string, why: Skipped["why"]): void {
    if (this.#skipped.length < MAX_LISTED) this.#skipped.push({ runId, why });
  }

  /** Not even its own version comes out as it did. */
  note(runId: string): void {
    if (this.#raced.length < MAX_LISTED) this.#raced.push(runId);
  }

  add(change: BacktestChange): void {
    this.#changed += 1;
    // A node counts once for a run, however many rounds it has.
    const seen = new Set<string>();
    const count = (nodeKey: string, part: Exclude<keyof NodeTally, "nodeId">) => {
      const nodeId = nodeIdOf(nodeKey);
      const known = this.#nodes.get(nodeId) ?? { nodeId, added: 0, removed: 0, handle: 0, calls: 0 };
      this.#nodes.set(nodeId, known);
      if (seen.has(`${part} ${nodeId}`)) return;
      seen.add(`${part} ${nodeId}`);
      known[part] += 1;
    };
    for (const { nodeKey, change: part } of change.path) count(nodeKey, part);
    for (const { nodeKey } of change.calls) count(nodeKey, "calls");
    if (this.#changes.length < MAX_LISTED)
      this.#changes.push({ ...change, calls: change.calls.map(shorten) });
  }

  result(): Pick<
    BacktestResult,
    "runs" | "changed" | "unchanged" | "skipped" | "raced" | "nodes" | "changes"
  > {
    return {
      runs: this.#changed + this.#unchanged,
      changed: this.#changed,
      unchanged: this.#unchanged,
      skipped: this.#skipped,
      raced: this.#raced,
      nodes: [...this.#nodes.values()],
      changes: this.#changes.toSorted((a, b) => (a.runId < b.runId ? 1 : -1)),
    };
  }
}

type Call = BacktestChange["calls"][number];

function shorten({ input, ...call }: Call): Call {
  const isSmall = JSON.stringify(input ?? {}).length <= MAX_INPUT_CHARACTERS;
  return isSmall && input !== undefined ? { ...call, input } : call;
}
