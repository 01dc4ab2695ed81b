import { setImmediate as nextTurn } from "node:timers/promises";
import { during, labelOf } from "../../lifecycle/under-way.ts";
import { Activity } from "./activity.ts";
import { GivenUp } from "./given-up.ts";
import type {
  BegunWait,
  ErrorText,
  InterruptedStatus,
  NodeRecord,
  RunOptions,
  RunOutcome,
  WaitToBegin,
} from "./run-types.ts";
import { RunSize } from "./run-size.ts";
import { RunValues } from "./run-values.ts";
import { type RecordedNode, type RecordEnding, toRecord } from "./to-record.ts";

/** What the records of a run may hold before they are saved: many runs at once must fit into memory. */
const maxUnsavedBytes = 2_000_000;
/** How long what was looked up may be known to this process alone. */
const maxUnsavedMs = 1_000;
/** Two moments of a run lie at least so far apart; a number of this size holds no less. */
const leastMs = 0.001;
/** Without its values. */
const bytesOfBareRecord = 300;

type Ending = RunOutcome extends infer Outcome
  ? Outcome extends unknown
    ? Omit<Outcome, "records" | "bytes">
    : never
  : never;

/** What all scopes of one run share: records on their way, limits, and the one end. */
export class RunState {
  readonly options: RunOptions;
  readonly activity = new Activity(
    () => this.#pause(),
    () => this.#giveBackWhereAsked(),
  );
  readonly size = new RunSize();
  readonly values = new RunValues();
  readonly givenUp = new GivenUp();
  /** What a flow takes for now before anything is recorded. */
  readonly startedAtMs: number;
  readonly #finish: (settle: () => Promise<RunOutcome>, status: InterruptedStatus | undefined) => void;
  #unsaved: NodeRecord[] = [];
  /** Containers under way of which nothing was saved yet. */
  readonly #unsavedContainers = new Set<RecordedNode>();
  readonly #saving = new Set<Promise<unknown>>();
  readonly #label: string;
  #hasEnded = false;
  #lastMoment = 0;
  #relief: Promise<void> | undefined;
  #saveUnderWay: Promise<void> | undefined;
  #nextSave: Promise<void> | undefined;
  /** Something was looked up; until when it may stay unsaved, and the save that it is in. */
  #foundUnsaved: NodeJS.Timeout | undefined;
  #foundUnderWay: Promise<void> | undefined;

  /** `finish` halts what is under way, which may leave records, and then settles. */
  constructor(
    options: RunOptions,
    finish: (settle: () => Promise<RunOutcome>, status: InterruptedStatus | undefined) => void,
  ) {
    this.options = options;
    this.#finish = finish;
    this.startedAtMs = Math.floor(options.startedAtMs ?? options.services.now());
    const { id, flowId, organizationId } = options.run;
    for (const { endedAt } of options.checkpoints.restored.values())
      if (endedAt > this.#lastMoment) this.#lastMoment = endedAt;
    this.#label = labelOf({ kind: "run", organizationId, runId: id, flowId });
  }

  /** Every turn of this run on the event loop, so that it is known whose turn it is. */
  turn<Result>(nodeKey: string, work: () => Result): Result {
    return during(this.#label, nodeKey, work);
  }

  /** Only the first end counts. */
  end(ending: Ending): void {
    if (this.#hasEnded) return;
    this.#close();
    if (ending.kind === "suspended") this.options.waits.suspend();
    this.#finish(() => this.#settle(ending), this.#interruptionBy(ending));
  }

  /** Nothing is left but to wait: until time has passed, or until whoever goes on with the run. */
  #pause(): void {
    if (this.#hasEnded) return;
    if (this.options.time?.pass()) this.activity.check();
    else this.end({ kind: "suspended" });
  }

  /** Awaits a time that the run waits for in place; whoever wants to go need not stay for that. */
  async rest<Result>(time: Promise<Result>): Promise<Result> {
    const { leaving } = this.options;
    const check = () => this.activity.check();
    leaving?.rest(check);
    try {
      return await this.activity.resting(time);
    } finally {
      leaving?.stopResting(check);
    }
  }

  #giveBackWhereAsked(): void {
    if (this.options.leaving?.isAsked) this.end({ kind: "aborted" });
  }

  /** What the end of the run makes of the nodes that are under way. */
  #interruptionBy({ kind }: Ending): InterruptedStatus | undefined {
    if (kind === "suspended") return undefined;
    return kind === "aborted" ? this.options.interruption?.() : "ABORTED";
  }

  crash(error: unknown): void {
    if (this.#hasEnded) return;
    this.#close();
    this.#finish(async () => {
      throw error;
    }, undefined);
  }

  #close(): void {
    this.#hasEnded = true;
    clearTimeout(this.#foundUnsaved);
  }

  async #settle(ending: Ending): Promise<RunOutcome> {
    if (this.#saving.size > 0) await Promise.all(this.#saving);
    // Where the run goes on some time, they do too.
    this.#addContainers();
    return { ...ending, records: this.#unsaved, bytes: this.values.unsavedBytes } as RunOutcome;
  }

  add(record: NodeRecord): void {
    this.#unsaved.push(record);
    this.values.unsavedBytes += bytesOfBareRecord;
  }

  /** What is known of a node that has not ended: an attempt that was made, or the way that led to it. */
  async remember(node: RecordedNode, error?: ErrorText): Promise<void> {
    this.add(toRecord(node, { status: "EXECUTING", error }, this.moment()));
    await this.save();
  }

  /** A loop over what it was entered with: its items are saved together with the first fact inside it. */
  enter(container: RecordedNode): void {
    if (!this.options.checkpoints.restored.has(container.nodeKey)) this.#unsavedContainers.add(container);
  }

  #addContainers(): void {
    for (const container of this.#unsavedContainers)
      this.add(toRecord(container, { status: "EXECUTING" }, this.moment()));
    this.#unsavedContainers.clear();
  }

  /** The record of a node that has ended, told to whoever watches the run. */
  endRecord(node: RecordedNode, ending: RecordEnding): NodeRecord {
    node.isRecorded = true;
    this.#unsavedContainers.delete(node);
    const record = toRecord(node, ending, node.endedAt ?? this.moment());
    this.options.onNode?.(record);
    this.options.onRecord?.(record);
    return record;
  }

  /**
   * Saves all that has happened so far. One after the other: what is known of a node must not be replaced by what was known
   * before. Whoever comes while records are saved shares the next turn.
   */
  save(): Promise<void> {
    this.#nextSave ??= this.#saveUnderWay?.then(() => {
      this.#nextSave = undefined;
      return this.#saveNow();
    });
    return this.complete(this.#nextSave ?? this.#saveNow());
  }

  #saveNow(): Promise<void> {
    this.#addContainers();
    const records = this.#unsaved;
    const bytes = this.values.unsavedBytes;
    this.#unsaved = [];
    this.values.unsavedBytes = 0;
    const saving = this.options.checkpoints.save(records, bytes);
    this.#saveUnderWay = saving;
    if (this.#foundUnsaved !== undefined) this.#foundUnderWay = saving;
    clearTimeout(this.#foundUnsaved);
    this.#foundUnsaved = undefined;
    const isOver = () => {
      if (this.#saveUnderWay === saving) this.#saveUnderWay = undefined;
      if (this.#foundUnderWay === saving) this.#foundUnderWay = undefined;
    };
    saving.then(isOver, isOver);
    return saving;
  }

  /** With what is saved next, and without waiting long for that. */
  saveSoon(): void {
    this.#foundUnsaved ??= setTimeout(() => this.follow("", this.save(), () => {}), maxUnsavedMs).unref();
  }

  /** A Promise where something was looked up that a lost worker would look up once more: nothing may follow from it yet. */
  untilFoundLasts(): Promise<void> | undefined {
    const lasts = this.#foundUnsaved === undefined ? this.#foundUnderWay : this.save();
    return lasts?.catch((error: unknown) => {
      this.crash(error);
      throw error;
    });
  }

  /** The time, later than every time before: what nodes did has an order, also where all of it took less than a clock tells. */
  moment(): number {
    this.#lastMoment = Math.max(this.options.services.now(), this.#lastMoment + leastMs);
    return this.#lastMoment;
  }

  /** What has been begun is part of the run: it does not end before. */
  async complete<Result>(write: Promise<Result>): Promise<Result> {
    this.#saving.add(write);
    const result = await write;
    this.#saving.delete(write);
    return result;
  }

  /** What comes next is a turn of the run; a fault in either ends it. */
  follow<Result>(nodeKey: string, work: Promise<Result>, next: (result: Result) => void): void {
    this.activity.enter();
    work
      .then((result) => this.turn(nodeKey, () => next(result)))
      .catch((error: unknown) => this.crash(error))
      .finally(() => this.activity.leave());
  }

  /** Where it cannot be registered the run has changed hands, or the database is away: no fault of the node. */
  async begin(wait: WaitToBegin): Promise<BegunWait> {
    try {
      return await this.complete(this.options.waits.begin(wait));
    } catch (error) {
      this.crash(error);
      throw error;
    }
  }

  /** A run that ends or pauses leaves its waits to what is written of it; that it ends may be known only in a moment. */
  withdraw(isMeant: (nodeKey: string) => boolean, end: "left" | "timed-out"): void {
    const withdraw = () => (this.#hasEnded ? undefined : this.options.waits.withdraw(isMeant, end));
    this.hold(nextTurn().then(withdraw));
  }

  /** What an earlier epoch has left behind; without delay, so that a run that has none ends without one. */
  withdrawNow(isMeant: (nodeKey: string) => boolean): void {
    this.hold(this.options.waits.withdraw(isMeant, "left"));
  }

  /** Nothing is sent before. */
  hold(write: Promise<unknown>): void {
    this.givenUp.hold(this.complete(write).catch((error: unknown) => this.crash(error)));
  }

  /** A Promise where no effect may begin yet. */
  beforeEffect(): Promise<void> | undefined {
    const { beforeEffect } = this.options;
    return this.givenUp.untilWritten()?.then(() => beforeEffect?.()) ?? beforeEffect?.();
  }

  /** More has happened than should be kept in memory alone. */
  get isHeavy(): boolean {
    return this.#relief !== undefined || this.values.unsavedBytes > maxUnsavedBytes;
  }

  /** Saves what is too much. Whoever comes meanwhile waits too: a loop must not make records faster than they are saved. */
  async relieve(): Promise<void> {
    while (this.isHeavy) {
      this.#relief ??= this.save().finally(() => (this.#relief = undefined));
      await this.#relief;
    }
  }
}
