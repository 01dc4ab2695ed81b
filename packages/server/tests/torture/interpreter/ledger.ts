import type { CallPart, Certainty, ChildPart, Part, RecordPart } from "./expectation.ts";

/** What one run must leave behind, as far as it is known. */
export class Ledger {
  readonly parts: (RecordPart | CallPart | ChildPart)[] = [];

  record(
    key: string,
    { certainty = "always", ...rest }: Partial<Omit<RecordPart, "kind" | "key">> = {},
  ): void {
    const part: RecordPart = { kind: "record", key, certainty, statuses: ["COMPLETED"], ...rest };
    const known = this.parts.findIndex((other) => other.kind === "record" && other.key === key);
    if (known === -1) this.parts.push(part);
    // Tried again by another attempt of the run: how often in all is not promised.
    else this.parts[known] = { ...part, attempts: undefined };
  }

  call(call: Omit<CallPart, "kind" | "certainty">, certainty: Certainty): void {
    const known = this.parts.find(
      (other): other is CallPart => other.kind === "call" && other.id === call.id,
    );
    if (known) known.count += call.count;
    else this.parts.push({ kind: "call", certainty, ...call });
  }

  child(key: string): ChildPart | undefined {
    return this.parts.find((part): part is ChildPart => part.kind === "child" && part.key === key);
  }

  /** Calls of this run and of those that it waited for. */
  callIds(from = 0): string[] {
    return this.parts.slice(from).flatMap((part) => {
      if (part.kind === "call") return [part.id];
      return part.kind === "child" && part.waits ? [...part.run.past] : [];
    });
  }

  /** Whatever was noted between two moments may have happened or not, in whole or in part. */
  relax(from: number, to: number): void {
    for (const part of this.parts.slice(from, to)) this.#relax(part);
  }

  #relax(part: Part & (RecordPart | CallPart | ChildPart)): void {
    part.certainty = "maybe";
    if (part.kind === "record") {
      part.statuses = undefined;
      part.attempts = undefined;
    }
  }
}
