import { createWriteStream, type WriteStream } from "node:fs";
import { once } from "node:events";

/** What became of a request, as in Jepsen: `unknown` may or may not have happened, and the check allows both. */
export type OutcomeType = "ok" | "fail" | "unknown";

export interface Operation {
  /** Unique; triggers carry it in their data, so that a run can be traced to its request. */
  readonly id: string;
  readonly kind: string;
  readonly organizationId: string;
  /** Which API process was asked. */
  readonly api: string;
  readonly invokedMs: number;
  /** What the request was about: a run, a key, a flow. */
  readonly about: Readonly<Record<string, unknown>>;
  endedMs?: number;
  outcome?: OutcomeType;
  status?: number;
  /** The answer's `data`, or what went wrong. */
  answer?: unknown;
}

/** Every request of every client, in memory for the checks and as JSON lines for people. */
export class History {
  readonly operations: Operation[] = [];
  readonly #file: WriteStream;
  #last = 0;

  constructor(path: string) {
    this.#file = createWriteStream(path);
  }

  invoke(operation: Omit<Operation, "id" | "invokedMs">): Operation {
    const invoked = { ...operation, id: `op${++this.#last}`, invokedMs: Date.now() };
    this.operations.push(invoked);
    this.#write({ type: "invoke", at: new Date(invoked.invokedMs).toISOString(), ...invoked });
    return invoked;
  }

  end(operation: Operation, outcome: OutcomeType, status: number | undefined, answer: unknown): void {
    operation.endedMs = Date.now();
    operation.outcome = outcome;
    operation.status = status;
    operation.answer = answer;
    this.#write({
      type: outcome,
      id: operation.id,
      at: new Date(operation.endedMs).toISOString(),
      status,
      answer,
    });
  }

  of(...kinds: readonly string[]): Operation[] {
    return this.operations.filter(({ kind }) => kinds.includes(kind));
  }

  #write(line: object): void {
    this.#file.write(`${JSON.stringify(line)}\n`);
  }

  async close(): Promise<void> {
    this.#file.end();
    await once(this.#file, "finish");
  }
}
