import type { JsonNotes } from "../../domain/json-measure.ts";
import { NodeError } from "../nodes/node-type.ts";
import type { ExecutionOutcome } from "./run-types.ts";
import { measureValue } from "./value-limits.ts";

const maxNodeBytes = 5_000_000;
const maxRunOutputBytes = 10_000_000;
const maxRunBytes = 100_000_000;

/** How large the values of a run are, each when it is made. */
export class RunValues {
  /** Of what is on its way to the records. */
  unsavedBytes = 0;
  #bytes = 0;
  readonly #notes: JsonNotes = { hasBrokenText: false };

  /** Measures one more input of a node that has inputs of `bytes` already. @throws NodeError */
  addInput(type: string, value: unknown, bytes: number): number {
    const measured =
      type === "return"
        ? measureValue("output of the run", value, maxRunOutputBytes - bytes, this.#notes)
        : measureValue("input of the node", value, maxNodeBytes - bytes, this.#notes);
    this.#count(measured);
    return bytes + measured;
  }

  /** Why what came out of a node cannot be carried. */
  faultOf(outcome: ExecutionOutcome): NodeError | undefined {
    try {
      if (outcome.kind === "output")
        this.#count(measureValue("output of the node", outcome.output, maxNodeBytes, this.#notes));
      if (outcome.kind === "return")
        this.unsavedBytes += measureValue("output of the run", outcome.value, maxRunOutputBytes, this.#notes);
      return undefined;
    } catch (error) {
      if (error instanceof NodeError) return error;
      throw error;
    }
  }

  /** Whether what was measured since it was last asked for holds a text that is not well-formed. */
  foundBrokenText(): boolean {
    const { hasBrokenText } = this.#notes;
    this.#notes.hasBrokenText = false;
    return hasBrokenText;
  }

  #count(bytes: number): void {
    this.unsavedBytes += bytes;
    this.#bytes += bytes;
    if (this.#bytes <= maxRunBytes) return;
    throw new NodeError(
      "RunTooLarge",
      "The inputs and outputs of all nodes of the run are larger than 100 MB together.",
    );
  }
}
