import type { NodeEvent } from "../engine/flow-runner/run-types.ts";

export interface ChangedRun {
  readonly organizationId: string;
  readonly id: string;
}

/** Named events of this process: who changes a run says so here, who cares listens. */
export class RunChanges {
  readonly #listeners: ((changed: readonly ChangedRun[]) => void)[] = [];
  readonly #nodeListeners: ((run: ChangedRun, event: NodeEvent) => void)[] = [];

  onChanged(listener: (changed: readonly ChangedRun[]) => void): void {
    this.#listeners.push(listener);
  }

  onNode(listener: (run: ChangedRun, event: NodeEvent) => void): void {
    this.#nodeListeners.push(listener);
  }

  publish(changed: readonly ChangedRun[]): void {
    if (changed.length === 0) return;
    for (const listener of this.#listeners) listener(changed);
  }

  publishNode(run: ChangedRun, event: NodeEvent): void {
    for (const listener of this.#nodeListeners) listener(run, event);
  }
}
