import type { RunStatus } from "@millrace/contract/run-status";
import { isTerminal } from "../../../src/domain/run-status.ts";

export const LIMITS = { concurrency: 2, queue: 3, credits: 40 };
export const CREDITS_A_RUN = 3;
export const MAX_DURATION_MS = 60_000;
const GRACE_MS = 5_000;

export interface ModelWait {
  readonly kind: "wait" | "approval";
  readonly dueMs: number | undefined;
  answered: boolean;
}

/** What a run must look like; nothing here knows how the database does it. */
export interface ModelRun {
  readonly id: string;
  readonly answeredQueued: boolean;
  readonly maxAttempts: number;
  status: RunStatus;
  stage: "delayed" | "queued" | "admitted";
  priority: 0 | 1;
  epoch: number;
  owner: number | undefined;
  attempt: number;
  recoveries: number;
  dueMs: number;
  claimedMs: number;
  activeMs: number;
  started: boolean;
  finishedEpoch: number | undefined;
  settled: number | undefined;
  /** Epoch that wrote it, by node. */
  readonly nodes: Map<string, number>;
  readonly waits: Map<string, ModelWait>;
}

/** A worker's belief that a run is its own; it may be long out of date. */
export interface View {
  readonly id: string;
  readonly epoch: number;
}

export interface ModelWorker {
  silent: boolean;
  readonly views: View[];
}

/** The rules of the run engine in memory. */
export class RunModel {
  nowMs = Date.UTC(2030, 0, 1);
  readonly runs: ModelRun[] = [];
  readonly keys = new Map<string, string>();
  readonly workers: ModelWorker[] = Array.from({ length: 3 }, () => ({ silent: false, views: [] }));

  run(id: string): ModelRun {
    const run = this.runs.find((one) => one.id === id);
    if (!run) throw new Error(`the model has no run ${id}`);
    return run;
  }

  get balance(): number {
    return this.runs.reduce((sum, { settled }) => sum - CREDITS_A_RUN + (settled ?? 0), LIMITS.credits);
  }

  holding(): ModelRun[] {
    return this.runs.filter(
      ({ status, stage }) => stage === "admitted" && (status === "WAITING" || status === "EXECUTING"),
    );
  }

  /** In the order in which they get their turn. */
  #waiting(stage: ModelRun["stage"]): ModelRun[] {
    return this.runs
      .filter((run) => run.status === "WAITING" && run.stage === stage)
      .toSorted((a, b) => b.priority - a.priority || (a.id < b.id ? -1 : 1));
  }

  trigger(
    id: string,
    asked: { key: string | undefined; delayMs: number; maxAttempts: number; claimer: number | undefined },
  ): string {
    if (this.#waiting("queued").length > 0) this.dispatch(undefined, 0);
    const known = asked.key === undefined ? undefined : this.keys.get(asked.key);
    if (known !== undefined) return "replayed";
    const free = LIMITS.concurrency - this.holding().length;
    const waits = asked.delayMs > 0 ? "delayed" : free > 0 ? undefined : "queued";
    const room = LIMITS.queue - this.#waiting("queued").length - this.#waiting("delayed").length;
    const outcome =
      this.balance < CREDITS_A_RUN
        ? "no_credits"
        : waits !== undefined
          ? room > 0
            ? waits
            : "queue_full"
          : asked.claimer === undefined
            ? "admitted"
            : "claimed";
    if (outcome === "no_credits" || outcome === "queue_full") return outcome;
    if (asked.key !== undefined) this.keys.set(asked.key, id);
    const run: ModelRun = {
      id,
      answeredQueued: outcome === "queued",
      maxAttempts: asked.maxAttempts,
      status: "WAITING",
      stage: outcome === "delayed" || outcome === "queued" ? outcome : "admitted",
      priority: 0,
      epoch: 0,
      owner: undefined,
      attempt: 1,
      recoveries: 0,
      dueMs: this.nowMs + asked.delayMs,
      claimedMs: 0,
      activeMs: 0,
      started: false,
      finishedEpoch: undefined,
      settled: undefined,
      nodes: new Map(),
      waits: new Map(),
    };
    this.runs.push(run);
    if (outcome === "claimed") this.#claim(run, asked.claimer!);
    return outcome;
  }

  #claim(run: ModelRun, worker: number): void {
    run.status = "EXECUTING";
    run.epoch += 1;
    run.owner = worker;
    run.claimedMs = this.nowMs;
    run.started = true;
    this.workers[worker]!.views.push({ id: run.id, epoch: run.epoch });
  }

  /** Ids that were claimed. */
  claim(worker: number, most: number): string[] {
    const taken = this.#waiting("admitted").slice(0, most);
    for (const run of taken) this.#claim(run, worker);
    return taken.map(({ id }) => id);
  }

  dispatch(worker: number | undefined, claim: number): string[] {
    const free = Math.max(0, LIMITS.concurrency - this.holding().length);
    const moved = this.#waiting("queued").slice(0, free);
    for (const run of moved) run.stage = "admitted";
    const claimed = moved.slice(0, claim);
    for (const run of claimed) this.#claim(run, worker!);
    return claimed.map(({ id }) => id);
  }

  owns({ id, epoch }: View): boolean {
    const run = this.run(id);
    return run.epoch === epoch && run.status === "EXECUTING";
  }

  checkpoint(view: View, node: string): boolean {
    if (!this.owns(view)) return false;
    const { nodes } = this.run(view.id);
    if (!nodes.has(node)) nodes.set(node, view.epoch);
    return true;
  }

  /** The run leaves its worker; `epoch` rises, whoever comes next. */
  #leave(run: ModelRun, status: RunStatus): void {
    run.status = status;
    run.epoch += 1;
    run.activeMs += this.nowMs - run.claimedMs;
    run.owner = undefined;
  }

  #end(run: ModelRun, status: RunStatus, cost: number): void {
    run.status = status;
    run.finishedEpoch = run.epoch;
    run.owner = undefined;
    run.settled = CREDITS_A_RUN - cost;
  }

  finish(view: View, status: "COMPLETED" | "FAILED", cost: number): boolean {
    const run = this.run(view.id);
    if (this.owns(view)) {
      this.#end(run, status, cost);
      return true;
    }
    // Said once more: it is as it was said.
    return run.finishedEpoch === view.epoch && run.status === status;
  }

  retry(view: View, delayMs: number): boolean {
    const run = this.run(view.id);
    if (!this.owns(view) || run.attempt >= run.maxAttempts) return false;
    this.#leave(run, "WAITING");
    Object.assign(run, { stage: "delayed", dueMs: this.nowMs + delayMs, priority: 1 });
    run.attempt += 1;
    for (const [key, wait] of run.waits) if (wait.answered) run.waits.delete(key);
    return true;
  }

  pause(view: View, nodeKey: string, wait: ModelWait): boolean {
    const run = this.run(view.id);
    if (!this.owns(view)) return false;
    this.#leave(run, "PAUSED");
    for (const [key, other] of run.waits) if (key !== nodeKey) other.answered = true;
    if (!run.waits.has(nodeKey)) run.waits.set(nodeKey, wait);
    if (run.waits.get(nodeKey)!.answered) this.#resume(run);
    return true;
  }

  #resume(run: ModelRun): void {
    if (run.status === "PAUSED") Object.assign(run, { status: "WAITING", stage: "queued", priority: 1 });
  }

  release(view: View, worker: number): boolean {
    const run = this.run(view.id);
    if (!this.owns(view) || run.owner !== worker) return false;
    this.#leave(run, "WAITING");
    run.priority = 1;
    return true;
  }

  /** The approval that a run waits for, or else one that it waited for. */
  askedFor(id: string): string | undefined {
    const asked = [...this.run(id).waits].filter(([, { kind }]) => kind === "approval");
    return (asked.find(([, { answered }]) => !answered) ?? asked[0])?.[0];
  }

  answer(id: string, nodeKey: string | undefined): boolean {
    const run = this.run(id);
    const open = nodeKey === undefined ? undefined : run.waits.get(nodeKey);
    if (isTerminal(run.status) || !open || open.answered) return false;
    open.answered = true;
    this.#resume(run);
    return true;
  }

  cancel(id: string, onlyQueued: boolean): boolean {
    const run = this.run(id);
    const possible = onlyQueued
      ? run.status === "WAITING" && run.stage === "queued" && run.answeredQueued && !run.started
      : run.status === "WAITING" || run.status === "EXECUTING";
    if (!possible) return false;
    run.epoch += 1;
    this.#end(run, "CANCELED", run.nodes.size);
    return true;
  }

  reap(): void {
    for (const run of this.runs) {
      if (run.status !== "EXECUTING" || !this.workers[run.owner!]!.silent) continue;
      run.recoveries += 1;
      if (run.recoveries < 3) {
        this.#leave(run, "WAITING");
        run.priority = 1;
      } else {
        run.epoch += 1;
        this.#end(run, "CRASHED", run.nodes.size);
      }
    }
  }

  sweep(): void {
    for (const run of this.runs) {
      if (run.status === "WAITING" && run.stage === "delayed" && run.dueMs <= this.nowMs)
        run.stage = "queued";
      for (const wait of run.waits.values()) {
        if (wait.answered || wait.dueMs === undefined || wait.dueMs > this.nowMs) continue;
        wait.answered = true;
        this.#resume(run);
      }
      const deadlineMs = run.claimedMs + MAX_DURATION_MS - run.activeMs;
      if (run.status === "EXECUTING" && deadlineMs < this.nowMs - GRACE_MS) {
        run.epoch += 1;
        this.#end(run, "TIMED_OUT", run.nodes.size);
      }
    }
  }
}
