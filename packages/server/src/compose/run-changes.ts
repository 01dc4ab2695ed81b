import type { ChangedRun } from "../domain/changed-run.ts";
import { LiveNodes } from "../operations/runs/live-nodes.ts";

/** Named events of this process: who changes a run says so here, who cares listens. */
export class RunChanges {
  readonly #listeners: ((changed: readonly ChangedRun[]) => void)[] = [];
  readonly nodes = new LiveNodes();

  onChanged(listener: (changed: readonly ChangedRun[]) => void): void {
    this.#listeners.push(listener);
  }

  publish(changed: readonly ChangedRun[]): void {
    if (changed.length === 0) return;
    for (const listener of this.#listeners) listener(changed);
  }
}
