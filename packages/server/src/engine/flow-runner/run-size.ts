import { NodeError } from "../nodes/node-type.ts";

const maxNodeExecutions = 100_000;
const maxOpenRounds = 1_000;

/** How much of a run has been executed, and is at once. */
export class RunSize {
  /** Of all its loops, beyond one of each. */
  openRounds = 0;
  #executions = 0;

  get isCrowded(): boolean {
    return this.openRounds >= maxOpenRounds;
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
}
