import type { ChangedRun } from "../domain/changed-run.ts";
import { setTimeout as sleep } from "node:timers/promises";
import type { IdMaker } from "../domain/ids.ts";
import type { ClaimedRun } from "../domain/run.ts";
import type { Duty } from "../lifecycle/duty.ts";
import type { FlowLibrary } from "../operations/flows/flow-library.ts";
import { GroupCommits } from "../storage/group-commits.ts";
import type { Pool } from "../storage/pool.ts";
import { retryWrite } from "../storage/retry.ts";
import { beginWaits, type NewWait, type WaitState } from "../storage/runs/begin-waits.ts";
import { cancelChildren } from "../storage/runs/cancel-children.ts";
import { findAnswers } from "../storage/runs/find-answers.ts";
import type { StoredWait } from "../storage/runs/load-checkpoints.ts";
import { markNotified } from "../storage/runs/mark-notified.ts";
import { withdrawWaits } from "../storage/runs/withdraw-waits.ts";
import { childRun } from "./child-run.ts";
import { Fenced } from "./fenced.ts";
import { delayUntil } from "./flow-runner/limits.ts";
import type { WaitToBegin } from "./flow-runner/run-types.ts";
import type { Suspension } from "./nodes/node-type.ts";
import { RunWaits } from "./waits.ts";

export interface WaitDeskParts {
  readonly pool: Pool;
  readonly ids: IdMaker;
  readonly library: FlowLibrary;
  readonly nowMs: () => number;
  /** The database's clock itself. */
  readonly readClock: () => Promise<number>;
  readonly onChanged: (changed: readonly ChangedRun[]) => void;
  /** Children of the organization stand in the queue, or slots are free. */
  readonly dispatch: (organizationId: string) => void;
  readonly stopRuns: (runIds: readonly string[]) => void;
}

const RETRY_FOR_MS = 10_000;
const POLL_MS = 500;
const MIN_PAUSE_MS = 20;
const MAX_IN_A_BATCH = 250;
const MAX_NAP_MS = 1_000;

/** Registers what the runs of this process wait for, and hears of the answers while they are executed. */
export class WaitDesk {
  readonly #parts: WaitDeskParts;
  readonly #runs = new Set<RunWaits>();
  #askedAtMs = 0;
  readonly #begins: GroupCommits<NewWait, WaitState | undefined>;

  constructor(parts: WaitDeskParts) {
    this.#parts = parts;
    this.#begins = new GroupCommits((organizationId, waits) => this.#register(organizationId, waits), {
      maxItems: MAX_IN_A_BATCH,
      // The organization's lock lets only one through anyway.
      maxUnderWay: 1,
      sizeOf: ({ child }) => (child?.texts.data?.length ?? 0) + (child?.texts.trigger?.length ?? 0),
    });
  }

  /** Over by the database's clock, which is asked in the end: the one of this process may run fast. */
  async untilDue(dueMs: number, signal: AbortSignal): Promise<void> {
    const { nowMs, readClock } = this.#parts;
    for (;;) {
      await delayUntil(dueMs, nowMs, signal);
      // Nothing may begin before it is known, so there is no hurry where the database is away.
      const leftMs = dueMs - (await readClock().catch(() => dueMs - POLL_MS));
      if (leftMs <= 0) return;
      await sleep(Math.min(Math.ceil(leftMs), MAX_NAP_MS), undefined, { signal });
    }
  }

  open(run: ClaimedRun, known: readonly StoredWait[]): RunWaits {
    return new RunWaits(run, this, known);
  }

  /** From its first wait on: most runs have none. */
  watch(waits: RunWaits): void {
    this.#runs.add(waits);
  }

  get isWatching(): boolean {
    return this.#runs.size > 0;
  }

  leave(waits: RunWaits): void {
    this.#runs.delete(waits);
  }

  async begin(run: ClaimedRun, wait: WaitToBegin): Promise<WaitState> {
    const registered = await this.#begins.add(run.organizationId, await this.#toRegister(run, wait));
    if (registered === undefined) throw new Fenced(`run ${run.id} is no longer at epoch ${run.epoch}`);
    return registered;
  }

  async #toRegister(
    run: ClaimedRun,
    { nodeKey, nodeId, attempt, suspension, timeoutMs }: WaitToBegin,
  ): Promise<NewWait> {
    const { kind } = suspension;
    const common = { runId: run.id, epoch: run.epoch, nodeKey, nodeId, attempt, kind, timeoutMs };
    switch (suspension.kind) {
      case "container":
        return common;
      case "wait":
        return "untilMs" in suspension
          ? { ...common, untilMs: suspension.untilMs }
          : { ...common, durationMs: suspension.durationMs };
      case "approval":
        return {
          ...common,
          message: suspension.message,
          durationMs: suspension.timeoutMs,
          details: detailsOf(suspension),
        };
      case "run-flow":
        return { ...common, ...(await childRun(run, nodeKey, suspension, this.#parts)) };
    }
  }

  async #register(organizationId: string, waits: readonly NewWait[]): Promise<(WaitState | undefined)[]> {
    const { pool, dispatch, onChanged } = this.#parts;
    const states = await retryWrite(() => beginWaits(pool, organizationId, waits), { forMs: RETRY_FOR_MS });
    const children = waits.flatMap(({ child }, at) =>
      child && states[at] ? [{ organizationId, id: child.run.id }] : [],
    );
    if (children.length > 0) {
      onChanged(children);
      dispatch(organizationId);
    }
    return states;
  }

  async withdraw(
    { organizationId, id, epoch }: ClaimedRun,
    waits: readonly { readonly nodeKey: string; readonly attempt: number }[],
    isTimedOut: boolean,
  ): Promise<void> {
    const withdrawal = { organizationId, runId: id, epoch, waits, isTimedOut };
    await retryWrite(() => withdrawWaits(this.#parts.pool, withdrawal), { forMs: RETRY_FOR_MS });
    await this.cancelChildren();
  }

  async notified({ organizationId, id }: ClaimedRun, nodeKey: string, attempt: number): Promise<void> {
    const wait = { organizationId, runId: id, nodeKey, attempt };
    await retryWrite(() => markNotified(this.#parts.pool, wait), { forMs: RETRY_FOR_MS });
  }

  /** Also a duty's: whoever noted them may be gone. */
  async cancelChildren(): Promise<void> {
    const canceled = await cancelChildren(this.#parts.pool);
    if (canceled.length === 0) return;
    this.#parts.stopRuns(canceled.map(({ id }) => id));
    this.#parts.onChanged(canceled);
    for (const organizationId of new Set(canceled.map((run) => run.organizationId)))
      this.#parts.dispatch(organizationId);
  }

  /** Poll is the truth; whoever writes an answer wakes it. */
  get duty(): Duty {
    return { name: "answers", intervalMs: POLL_MS, runOnce: () => this.#poll() };
  }

  async #poll(): Promise<void> {
    const runs = new Map([...this.#runs].map((waits) => [waits.run.id, waits]));
    const open = [...runs.values()].flatMap((waits) =>
      waits.asked().map(({ nodeKey, attempt }) => {
        const { organizationId, id } = waits.run;
        return { organizationId, runId: id, nodeKey, attempt };
      }),
    );
    if (open.length === 0) return;
    // Every change wakes this: what comes meanwhile is asked for at once.
    await sleep(Math.max(0, this.#askedAtMs + MIN_PAUSE_MS - performance.now()));
    this.#askedAtMs = performance.now();
    for (const { runId, answer, answeredAt, ...wait } of await findAnswers(this.#parts.pool, open))
      runs.get(runId)?.settle(wait, { answer, answeredAt: answeredAt.getTime() });
  }
}

/** What whoever answers needs to know beside the message. */
function detailsOf({ assignees, form }: Suspension & { kind: "approval" }): NewWait["details"] {
  return assignees || form ? { ...(assignees && { assignees }), ...(form && { form }) } : undefined;
}
