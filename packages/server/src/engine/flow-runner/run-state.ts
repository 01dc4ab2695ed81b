import { jsonSize } from "./json-size.ts";
import { NodeError } from "../nodes/node-type.ts";
import type { NodeRecord, PendingSuspension, RunOptions, RunOutcome } from "./run-types.ts";

const maxNodeOutputBytes = 5_000_000;
const maxRunOutputBytes = 10_000_000;
const maxAllOutputBytes = 50_000_000;
const maxNodeExecutions = 100_000;
/** Pure nodes run without a pause this long; then timers and sockets have their turn. */
const longestSliceMs = 10;

type Ending = RunOutcome extends infer Outcome
  ? Outcome extends unknown
    ? Omit<Outcome, "records">
    : never
  : never;

/** What all scopes of one run share: records on their way, limits, and the one end. */
export class RunState {
  readonly options: RunOptions;
  readonly suspensions: PendingSuspension[] = [];
  readonly #finish: (settle: () => Promise<RunOutcome>) => void;
  #unsaved: NodeRecord[] = [];
  readonly #saving = new Set<Promise<void>>();
  #hasEnded = false;
  #executions = 0;
  #outputBytes = 0;
  #sliceStart = performance.now();

  constructor(options: RunOptions, finish: (settle: () => Promise<RunOutcome>) => void) {
    this.options = options;
    this.#finish = finish;
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
    return { ...ending, records: this.#unsaved } as RunOutcome;
  }

  add(record: NodeRecord): void {
    this.#unsaved.push(record);
  }

  /** Saves all that has happened so far. */
  async save(): Promise<void> {
    const records = this.#unsaved;
    this.#unsaved = [];
    const saving = this.options.checkpoints.save(records);
    this.#saving.add(saving);
    await saving;
    this.#saving.delete(saving);
  }

  suspend(pending: PendingSuspension, type: string): void {
    this.suspensions.push(pending);
    this.options.onNode?.({ nodeKey: pending.nodeKey, nodeId: pending.nodeId, type, status: "PAUSED" });
  }

  /** `undefined` while more nodes may be executed. */
  countExecution(): { kind: "error"; error: NodeError } | undefined {
    this.#executions += 1;
    if (this.#executions <= maxNodeExecutions) return undefined;
    const text = "The run has executed 100,000 nodes. Loop over fewer items, or split the flow.";
    return { kind: "error", error: new NodeError("RunTooLong", text) };
  }

  faultOfNodeOutput(output: unknown): NodeError | undefined {
    const bytes = jsonSize(output, maxNodeOutputBytes);
    this.#outputBytes += bytes;
    if (bytes > maxNodeOutputBytes) {
      return new NodeError(
        "OutputTooLarge",
        "The output of the node is larger than 5 MB. Keep only what is needed.",
      );
    }
    if (this.#outputBytes <= maxAllOutputBytes) return undefined;
    return new NodeError(
      "OutputTooLarge",
      "The outputs of all nodes of the run are larger than 50 MB together.",
    );
  }

  faultOfRunOutput(output: unknown): NodeError | undefined {
    if (jsonSize(output, maxRunOutputBytes) <= maxRunOutputBytes) return undefined;
    return new NodeError("OutputTooLarge", "The output of the run is larger than 10 MB. Return less.");
  }

  isSliceOver(): boolean {
    return performance.now() - this.#sliceStart > longestSliceMs;
  }

  beginSlice(): void {
    this.#sliceStart = performance.now();
  }
}
