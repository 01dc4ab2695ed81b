import type { DryRunAnswers } from "../../domain/dry-run.ts";
import { delayUntil, maxWaitInPlaceMs } from "../flow-runner/limits.ts";
import type { NodeChange } from "../../domain/node-changes.ts";
import type { BegunWait, WaitPort, WaitToBegin } from "../flow-runner/run-types.ts";
import type { Suspension } from "../nodes/node-type.ts";

type Answer = Readonly<Record<string, unknown>>;

/** A run that a node has started. */
export interface StartedChild {
  readonly answer: Promise<Answer>;
  /** Nobody waits for it any more. */
  abandon(end: "cancel" | "leave"): void;
}

export interface MemoryWaitsParts {
  readonly answers: DryRunAnswers;
  readonly signal: AbortSignal;
  readonly now: () => number;
  startChild(suspension: Suspension & { kind: "run-flow" }): StartedChild;
  onNode(change: NodeChange): void;
}

/** Waits of a run that lives as long as this process: they are answered in it, and the run is never put away. */
export class MemoryWaits implements WaitPort {
  readonly #parts: MemoryWaitsParts;
  readonly #children = new Map<string, { child: StartedChild; onParentEnd: "cancel" | "leave" }>();

  constructor(parts: MemoryWaitsParts) {
    this.#parts = parts;
  }

  async begin(wait: WaitToBegin): Promise<BegunWait> {
    const { now } = this.#parts;
    const startedAt = now();
    const expiresAt = wait.timeoutMs === undefined ? undefined : startedAt + wait.timeoutMs;
    const answer = this.#answer(wait, startedAt).then((value) => ({ answer: value, answeredAt: now() }));
    answer.catch(() => {});
    return { startedAt, expiresAt, mayPause: false, answer };
  }

  expiryOf(): undefined {
    return undefined;
  }

  end(): void {}

  async withdraw(isMeant: (nodeKey: string) => boolean): Promise<void> {
    for (const [nodeKey, { child }] of this.#children) {
      if (!isMeant(nodeKey)) continue;
      this.#children.delete(nodeKey);
      child.abandon("cancel");
    }
  }

  /** The run has ended: whom it still waits for ends with it, or is left. */
  close(): void {
    for (const { child, onParentEnd } of this.#children.values()) child.abandon(onParentEnd);
    this.#children.clear();
  }

  #answer(wait: WaitToBegin, startedAt: number): Promise<Answer> {
    const { suspension } = wait;
    switch (suspension.kind) {
      case "container":
        return new Promise(() => {});
      case "wait":
        return this.#pass(
          wait,
          "untilMs" in suspension ? suspension.untilMs : startedAt + suspension.durationMs,
          startedAt,
        );
      case "approval":
        return this.#ask(wait, suspension, startedAt);
      case "run-flow":
        return this.#run(wait, suspension);
    }
  }

  /** Nobody goes on with a dry run. */
  suspend(): void {}

  async #pass(wait: WaitToBegin, untilMs: number, startedAt: number): Promise<Answer> {
    const { answers, now, signal } = this.#parts;
    if (untilMs - startedAt < maxWaitInPlaceMs) await delayUntil(untilMs, now, signal);
    else {
      this.#tellPaused(wait);
      await answers.wait({ nodeId: wait.nodeId, untilMs });
    }
    return { waitedUntil: new Date(untilMs).toISOString() };
  }

  async #ask(
    wait: WaitToBegin,
    { message, timeoutMs }: Suspension & { kind: "approval" },
    startedAt: number,
  ): Promise<Answer> {
    const { answers, now, signal } = this.#parts;
    this.#tellPaused(wait);
    const answered = answers
      .approval({ nodeId: wait.nodeId, message })
      .then((answer) => ({ by: "dry-run", ...answer }));
    if (timeoutMs === undefined) return answered;
    const late = delayUntil(startedAt + timeoutMs, now, signal).then(() => ({ decision: "timeout" }));
    return Promise.race([answered, late]);
  }

  async #run(wait: WaitToBegin, suspension: Suspension & { kind: "run-flow" }): Promise<Answer> {
    const child = this.#parts.startChild(suspension);
    if (!suspension.wait) return child.answer;
    this.#tellPaused(wait);
    this.#children.set(wait.nodeKey, { child, onParentEnd: suspension.onParentEnd });
    const answer = await child.answer;
    this.#children.delete(wait.nodeKey);
    return answer;
  }

  #tellPaused({ nodeKey, nodeId, suspension }: WaitToBegin): void {
    const startedAt = this.#parts.now();
    this.#parts.onNode({ nodeKey, nodeId, type: suspension.kind, status: "PAUSED", startedAt });
  }
}
