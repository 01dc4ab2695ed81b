import { BYTES_PER_VALUE, type JsonNotes } from "../../domain/json-measure.ts";
import { collectYoung } from "../../lifecycle/young-generation.ts";
import { NodeError } from "../nodes/node-type.ts";
import type { ExecutionOutcome } from "./run-types.ts";
import { measureValue } from "./value-limits.ts";

const maxNodeBytes = 5_000_000;
const maxRunOutputBytes = 10_000_000;
const maxRunBytes = 100_000_000;
const largeBytes = 1_000_000;

/** How large the values of a run are, each when it is made. */
export class RunValues {
  /** Of what is on its way to the records. */
  unsavedBytes = 0;
  #bytes = 0;
  readonly #notes: JsonNotes = { hasBrokenText: false, hasOddNumber: false, values: 0 };
  /** The object that was measured last: many nodes pass on what they were given. */
  #measured: object | undefined;
  #measuredBytes = 0;
  /** What the value that was measured last takes in memory, and what of it was not there before. */
  heldBytes = 0;
  newBytes = 0;

  /** Measures one more input of a node that has inputs of `bytes` already. @throws NodeError */
  addInput(type: string, value: unknown, bytes: number): number {
    const measured =
      type === "return"
        ? this.#measure("output of the run", value, maxRunOutputBytes - bytes)
        : this.#measure("input of the node", value, maxNodeBytes - bytes);
    this.#count(measured);
    return bytes + measured;
  }

  /** Why what came out of a node cannot be carried. */
  faultOf(outcome: ExecutionOutcome): NodeError | undefined {
    try {
      if (outcome.kind === "output")
        this.#count(this.#measure("output of the node", outcome.output, maxNodeBytes));
      if (outcome.kind === "return")
        this.unsavedBytes += this.#measure("output of the run", outcome.value, maxRunOutputBytes);
      return undefined;
    } catch (error) {
      if (error instanceof NodeError) return error;
      throw error;
    }
  }

  /** What was measured holds something that would be read back as something else. */
  get isBroken(): boolean {
    return this.#notes.hasBrokenText || this.#notes.hasOddNumber;
  }

  /** What that is, in words, once. */
  takeFaults(): string[] {
    const { hasBrokenText, hasOddNumber } = this.#notes;
    this.#notes.hasBrokenText = false;
    this.#notes.hasOddNumber = false;
    return [
      ...(hasBrokenText ? ["held NUL or half a character; each was replaced by U+FFFD."] : []),
      ...(hasOddNumber ? ["held a number that JSON does not know; it was replaced by null."] : []),
    ];
  }

  /** @throws NodeError */
  #measure(what: string, value: unknown, maxBytes: number): number {
    const isObject = typeof value === "object" && value !== null;
    this.newBytes = 0;
    if (isObject && value === this.#measured && this.#measuredBytes <= maxBytes) return this.#measuredBytes;
    this.#notes.values = 0;
    const bytes = measureValue(what, value, maxBytes, this.#notes);
    this.heldBytes = bytes + this.#notes.values * BYTES_PER_VALUE;
    this.newBytes = this.heldBytes;
    if (this.newBytes > largeBytes) collectYoung();
    // One that has to be mended is noticed each time.
    if (isObject && !this.isBroken) {
      this.#measured = value;
      this.#measuredBytes = bytes;
    }
    return bytes;
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
