import type { ClaimedRun } from "../domain/run.ts";
import type { StoredWaitKind, WaitState } from "../storage/runs/begin-waits.ts";
import type { StoredWait } from "../storage/runs/load-checkpoints.ts";
import { maxWaitInPlaceMs } from "./flow-runner/limits.ts";
import type { BegunWait, WaitAnswer, WaitPort, WaitToBegin } from "./flow-runner/run-types.ts";

interface Entry {
  readonly nodeKey: string;
  readonly attempt: number;
  readonly kind: StoredWaitKind;
  readonly state: WaitState & Partial<Pick<StoredWait, "isNotified">>;
  readonly answer: PromiseWithResolvers<WaitAnswer>;
  isAnswered: boolean;
  isTimed: boolean;
}

/** Where waits are registered: the desk of the process. */
interface WaitRegister {
  untilDue(dueMs: number, signal: AbortSignal): Promise<void>;
  notified(run: ClaimedRun, nodeKey: string, attempt: number): Promise<void>;
  begin(run: ClaimedRun, wait: WaitToBegin): Promise<WaitState>;
  withdraw(run: ClaimedRun, waits: readonly Entry[], timedOut: boolean): Promise<void>;
  cancelChildren(): Promise<void>;
  leave(waits: RunWaits): void;
  watch(waits: RunWaits): void;
}

/** What the nodes of one run wait for, while this process executes it. */
export class RunWaits implements WaitPort {
  readonly run: ClaimedRun;
  readonly #desk: WaitRegister;
  /** Made when the first timer needs it: most runs wait for nothing. */
  #closing: AbortController | undefined;
  readonly #entries = new Map<string, Entry>();
  #isSuspended = false;

  constructor(run: ClaimedRun, desk: WaitRegister, known: readonly StoredWait[]) {
    this.run = run;
    this.#desk = desk;
    for (const { nodeKey, attempt, kind, ...state } of known) this.#add({ nodeKey, attempt, kind }, state);
  }

  async begin(wait: WaitToBegin): Promise<BegunWait> {
    const known = this.#entries.get(nameOf(wait));
    const kind = wait.suspension.kind;
    return this.#watch(known ?? this.#add({ ...wait, kind }, await this.#desk.begin(this.run, wait)));
  }

  notified(nodeKey: string, attempt: number): Promise<void> {
    return this.#desk.notified(this.run, nodeKey, attempt);
  }

  has(nodeKey: string, attempt: number): boolean {
    return this.#entries.has(nameOf({ nodeKey, attempt }));
  }

  expiryOf(nodeKey: string, attempt: number): number | undefined {
    return this.#entries.get(nameOf({ nodeKey, attempt }))?.state.expiresAt?.getTime();
  }

  end(nodeKey: string, attempt: number): void {
    this.#entries.delete(nameOf({ nodeKey, attempt }));
  }

  async withdraw(isMeant: (nodeKey: string) => boolean, end: "left" | "timed-out"): Promise<void> {
    const meant = this.open().filter(({ nodeKey }) => isMeant(nodeKey));
    for (const entry of meant) this.#entries.delete(nameOf(entry));
    if (meant.length > 0) await this.#desk.withdraw(this.run, meant, end === "timed-out");
    // Others may have written it first.
    else if (end === "timed-out") await this.cancelGivenUp();
  }

  cancelGivenUp(): Promise<void> {
    return this.#desk.cancelChildren();
  }

  suspend(): void {
    this.#isSuspended = true;
  }

  /** What nobody has answered yet. */
  open(): Entry[] {
    return [...this.#entries.values()].filter(({ isAnswered }) => !isAnswered);
  }

  /** What only the database knows the answer to. */
  asked(): Entry[] {
    return this.open().filter(({ kind }) => kind !== "wait" && kind !== "container");
  }

  hasChildren(): boolean {
    return this.open().some(({ kind }) => kind === "run-flow");
  }

  settle({ nodeKey, attempt }: Pick<Entry, "nodeKey" | "attempt">, answer: WaitAnswer): void {
    const entry = this.#entries.get(nameOf({ nodeKey, attempt }));
    // Taken for an answer that was taken up, it would be missing among those that the pause looks for.
    if (entry === undefined || entry.isAnswered || this.#isSuspended) return;
    entry.isAnswered = true;
    entry.answer.resolve(answer);
  }

  close(): void {
    this.#closing?.abort();
    this.#desk.leave(this);
  }

  #add(
    { nodeKey, attempt, kind }: Pick<Entry, "nodeKey" | "attempt" | "kind">,
    state: Entry["state"],
  ): Entry {
    const answer = Promise.withResolvers<WaitAnswer>();
    const entry = { nodeKey, attempt, kind, state, answer, isAnswered: false, isTimed: false };
    this.#entries.set(nameOf(entry), entry);
    this.#desk.watch(this);
    if (state.answer !== null && state.answeredAt !== null)
      this.settle(entry, { answer: state.answer, answeredAt: endOf(entry, state.answeredAt) });
    return entry;
  }

  #watch(entry: Entry): BegunWait {
    const { kind, state, answer, isAnswered } = entry;
    const [startedAt, dueAt, expiresAt] = [state.startedAt, state.dueAt, state.expiresAt].map(msOf);
    if (!isAnswered && kind === "wait" && dueAt !== expiresAt && !entry.isTimed) {
      entry.isTimed = true;
      void this.#answerWhenDue(entry, dueAt!);
    }
    const mayPause = !isAnswered && (kind !== "wait" || dueAt! - startedAt! >= maxWaitInPlaceMs);
    const isNotified = isAnswered || state.isNotified === true;
    return { startedAt: startedAt!, expiresAt, mayPause, answer: answer.promise, isNotified };
  }

  async #answerWhenDue(entry: Entry, dueMs: number): Promise<void> {
    this.#closing ??= new AbortController();
    try {
      await this.#desk.untilDue(dueMs, this.#closing.signal);
    } catch {
      return;
    }
    this.settle(entry, { answer: { waitedUntil: new Date(dueMs).toISOString() }, answeredAt: dueMs });
  }
}

/** The end of a wait is its time, whenever that was noticed: what follows is told the same each time. */
function endOf({ kind, state }: Entry, answeredAt: Date): number {
  return (kind === "wait" ? (state.dueAt ?? answeredAt) : answeredAt).getTime();
}

function nameOf({ nodeKey, attempt }: { readonly nodeKey: string; readonly attempt: number }): string {
  return `${attempt}:${nodeKey}`;
}

function msOf(date: Date | null): number | undefined {
  return date?.getTime();
}
