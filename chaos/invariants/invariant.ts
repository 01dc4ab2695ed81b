import type { Evidence } from "../evidence.ts";

interface Verdict {
  /** How much was looked at, in words that let a reader see whether the check had anything to do. */
  readonly checked: string;
  /** Each names the run or request, what was expected and what was found. */
  readonly violations: readonly string[];
}

export interface Invariant {
  readonly number: number;
  readonly name: string;
  check(evidence: Evidence): Verdict;
}
