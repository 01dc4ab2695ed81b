import { DocumentFaults, type Fault, type Problem } from "../../domain/documents/fault.ts";
import type { PlacedDocument } from "../../domain/documents/parse-source.ts";

const MAX_FAULTS = 1_000;

/** Whatever knows its place. */
type Placed = Pick<PlacedDocument, "fault">;

/** Every fault that was found so far, and which documents have one. */
export class Findings {
  readonly #known: readonly Fault[];
  readonly #found: { readonly placed: Placed; readonly problem: Problem }[] = [];
  readonly #faulty = new Set<Placed>();

  constructor(known: readonly Fault[] = []) {
    this.#known = known;
  }

  add(placed: Placed, problem: Problem): void {
    this.#faulty.add(placed);
    this.#found.push({ placed, problem });
  }

  isSound(placed: Placed): boolean {
    return !this.#faulty.has(placed);
  }

  /** With their places, by file and line. */
  async faults(): Promise<Fault[]> {
    const found = this.#found
      .slice(0, MAX_FAULTS)
      .map(({ placed, problem }) => Promise.resolve(placed.fault(problem)));
    const faults = [...this.#known, ...(await Promise.all(found))];
    return faults.sort(inOrder).slice(0, MAX_FAULTS);
  }

  /** @throws DocumentFaults */
  async throwAny(): Promise<void> {
    if (this.#known.length > 0 || this.#found.length > 0) throw new DocumentFaults(await this.faults());
  }
}

function inOrder(a: Fault, b: Fault): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line || a.column - b.column;
}
