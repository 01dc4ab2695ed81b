import { during, labelOf } from "../../lifecycle/under-way.ts";
import { NodeError } from "../nodes/node-type.ts";
import { measureValue } from "./value-limits.ts";
import type { ExecutionOutcome } from "./scope-types.ts";
import type { NodeRecord, PendingSuspension, RunOptions, RunOutcome } from "./run-types.ts";

const maxNodeBytes = 5_000_000;
const maxRunOutputBytes = 10_000_000;
const maxRunBytes = 100_000_000;
const maxNodeExecutions = 100_000;
/** What the records of a run may hold before they are saved: many runs at once must fit into memory. */
const maxUnsavedBytes = 2_000_000;
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
  readonly suspensions: PendingSuspension[] = [];
  readonly #finish: (settle: () => Promise<RunOutcome>) => void;
  #unsaved: NodeRecord[] = [];
  readonly #saving = new Set<Promise<void>>();
  readonly #label: string;
  #hasEnded = false;
  #executions = 0;
  #bytes = 0;
  #unsavedBytes = 0;
  #relief: Promise<void> | undefined;

  constructor(options: RunOptions, finish: (settle: () => Promise<RunOutcome>) => void) {
    this.options = options;
    this.#finish = finish;
    const { id, flowId, organizationId } = options.run;
    this.#label = labelOf({ kind: "run", organizationId, runId: id, flowId });
  }

  /** Every turn of this run on the event loop, so that it is known whose turn it is. */
  turn<Result>(nodeKey: string, work: () => Result): Result {
    return during(this.#label, nodeKey, work);
  }

  /** Only the first end counts. */
  end(ending: Ending): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#finish(() => this.#settle(ending));
  }

  crash(error: unknown): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#finish(async () => {
      throw error;
    });
  }

  async #settle(ending: Ending): Promise<RunOutcome> {
    await Promise.all(this.#saving);
    return { ...ending, records: this.#unsaved, bytes: this.#unsavedBytes } as RunOutcome;
  }

  add(record: NodeRecord): void {
    this.#unsaved.push(record);
    this.#unsavedBytes += bytesOfBareRecord;
  }

  /** Saves all that has happened so far. */
  async save(): Promise<void> {
    const records = this.#unsaved;
    const bytes = this.#unsavedBytes;
    this.#unsaved = [];
    this.#unsavedBytes = 0;
    const saving = this.options.checkpoints.save(records, bytes);
    this.#saving.add(saving);
    await saving;
    this.#saving.delete(saving);
  }

  suspend(pending: PendingSuspension, type: string): void {
    this.suspensions.push(pending);
    this.options.onNode?.({ nodeKey: pending.nodeKey, nodeId: pending.nodeId, type, status: "PAUSED" });
  }

  /** A loop that could not be finished is not begun. @throws NodeError */
  refuseRounds(rounds: number): void {
    if (this.#executions + rounds <= maxNodeExecutions) return;
    const text = `The list has ${rounds} items, and a run executes 100,000 nodes at most. Loop over fewer items, or split the flow.`;
    throw new NodeError("RunTooLong", text);
  }

  /** `undefined` while more nodes may be executed. */
  countExecution(): { kind: "error"; error: NodeError } | undefined {
    this.#executions += 1;
    if (this.#executions <= maxNodeExecutions) return undefined;
    const text = "The run has executed 100,000 nodes. Loop over fewer items, or split the flow.";
    return { kind: "error", error: new NodeError("RunTooLong", text) };
  }

  /** More has happened than should be kept in memory alone. */
  get isHeavy(): boolean {
    return this.#relief !== undefined || this.#unsavedBytes > maxUnsavedBytes;
  }

  /** Saves what is too much. Whoever comes meanwhile waits too: a loop must not make records faster than they are saved. */
  async relieve(): Promise<void> {
    while (this.isHeavy) {
      this.#relief ??= this.save().finally(() => (this.#relief = undefined));
      await this.#relief;
    }
  }

  /** Measures one more input of a node that has inputs of `bytes` already. @throws NodeError */
  addInput(type: string, value: unknown, bytes: number): number {
    const measured =
      type === "return"
        ? measureValue("output of the run", value, maxRunOutputBytes - bytes)
        : measureValue("input of the node", value, maxNodeBytes - bytes);
    this.#count(measured);
    return bytes + measured;
  }

  /** Why what came out of a node cannot be carried. */
  faultOf(outcome: ExecutionOutcome): NodeError | undefined {
    try {
      if (outcome.kind === "output")
        this.#count(measureValue("output of the node", outcome.output, maxNodeBytes));
      if (outcome.kind === "return")
        this.#unsavedBytes += measureValue("output of the run", outcome.value, maxRunOutputBytes);
      return undefined;
    } catch (error) {
      if (error instanceof NodeError) return error;
      throw error;
    }
  }

  #count(bytes: number): void {
    this.#unsavedBytes += bytes;
    this.#bytes += bytes;
    if (this.#bytes <= maxRunBytes) return;
    throw new NodeError(
      "RunTooLarge",
      "The inputs and outputs of all nodes of the run are larger than 100 MB together.",
    );
  }
}
