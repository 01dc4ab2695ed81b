import type { FlowGraph } from "@millrace/contract/documents/graph";
import type { NodeRecord } from "../../../src/engine/flow-runner/run-types.ts";
import { run, type Sent, type TestOptions, type TestRun } from "./test-flow.ts";

/** A run with a memory, as a durable engine keeps it: what was saved, and what came with a pause or an end. */
export class DurableRun {
  readonly sent: Sent[] = [];
  readonly records = new Map<string, NodeRecord>();
  readonly #graph: FlowGraph;
  readonly #options: TestOptions;
  #nowMs = 1_000;

  constructor(graph: FlowGraph, options: TestOptions = {}) {
    this.#graph = graph;
    this.#options = options;
  }

  /** How often a node was sent. */
  count(nodeKey: string): number {
    return this.sent.filter((one) => one.nodeKey === nodeKey).length;
  }

  /** Goes on until it ends or pauses. */
  async go(options: TestOptions = {}): Promise<TestRun> {
    const ended = await this.#run({}, options);
    this.#keep(ended.outcome.records);
    return ended;
  }

  /** Goes on until `isLost` says so after something was sent or saved; nothing that comes later is kept. */
  async goUntilLost(isLost: () => boolean, options: TestOptions = {}): Promise<void> {
    const worker = new AbortController();
    const check = () => {
      if (isLost()) worker.abort();
      return worker.signal.aborted;
    };
    const timer = setInterval(check, 1);
    const save = async (records: readonly NodeRecord[]) => {
      if (check()) throw new Error("lost");
      this.#keep(records);
      check();
    };
    try {
      await this.#run({ save }, { ...options, signal: worker.signal });
    } catch (error) {
      if ((error as Error).message !== "lost") throw error;
    } finally {
      clearInterval(timer);
    }
  }

  answer(nodeKey: string, output: Record<string, unknown> = {}): void {
    const nodeId = nodeKey.replace(/^.*\./, "").replace(/\[\d+\]$/, "");
    this.#nowMs += 1_000;
    this.#keep([
      {
        nodeKey,
        nodeId,
        type: "suspend",
        status: "COMPLETED",
        startedAt: this.#nowMs,
        endedAt: this.#nowMs,
        attempts: 1,
        input: {},
        output,
        handle: "approved",
        error: undefined,
        log: [],
      },
    ]);
  }

  #run({ save }: { save?: (records: readonly NodeRecord[]) => Promise<void> }, options: TestOptions) {
    return run(this.#graph, {
      services: { now: () => (this.#nowMs += 10) } as TestOptions["services"] & object,
      startedAtMs: 1_000,
      ...this.#options,
      ...options,
      sent: this.sent,
      checkpoints: {
        restored: new Map(this.records),
        save: save ?? (async (records) => this.#keep(records)),
      },
    });
  }

  /** As text, because that is how a database has it. */
  #keep(records: readonly NodeRecord[]): void {
    for (const record of records) {
      this.records.set(record.nodeKey, JSON.parse(JSON.stringify(record)) as NodeRecord);
    }
  }
}
