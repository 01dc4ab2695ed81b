/** What can stand in a generated flow. Each step becomes one node or a few; `id` is given when the case is numbered. */

/** A value as it is written in a document: fixed, or read from what came before. */
export type Source =
  | { readonly from: "fixed"; readonly value: number | string | readonly number[] }
  /** What the step before made. */
  | { readonly from: "before" }
  /** Of the innermost loop; nothing outside of loops. */
  | { readonly from: "item" | "index" }
  /** Inside text. */
  | { readonly from: "text"; readonly of: Source };

type OnError = "fail" | "continue" | "branch";

/** How a node that can fail is told to take it. */
export interface Failing {
  readonly onError: OnError;
  /** In all. */
  readonly attempts: number;
  /** What follows the handle `error`. */
  readonly handler: Block;
}

export type Answer =
  | { readonly kind: "ok"; readonly ms: number }
  | { readonly kind: "fails" }
  /** Says no for good: it is not asked again. */
  | { readonly kind: "refuses" }
  /** Fails so many times, fewer than there are attempts. */
  | { readonly kind: "flaky"; readonly failures: number }
  /** Is never answered; the node has a timeout. */
  | { readonly kind: "late" };

export type Chance = "shuffle" | "random" | "millis" | "now" | "code-random" | "code-date" | "code-uuid";

export type Step =
  | { readonly kind: "set" | "template" | "transform"; readonly value: Source }
  | { readonly kind: "code"; readonly value: Source; readonly throws: boolean; readonly failing: Failing }
  /** A value that nobody can foretell, and that stays what it was. */
  | { readonly kind: "chance"; readonly how: Chance }
  /** Two calls, and a node that begins behind whichever is answered first and sees only that one. */
  | { readonly kind: "first" }
  | { readonly kind: "call"; readonly value: Source; readonly answer: Answer; readonly failing: Failing }
  | { readonly kind: "store"; readonly value: number; readonly forgets: boolean }
  | { readonly kind: "wait"; readonly ms: number }
  | {
      readonly kind: "approval";
      readonly decision: "approved" | "rejected" | "timeout";
      readonly data: number;
      readonly ways: Readonly<Record<"approved" | "rejected" | "timeout", Block>>;
    }
  | {
      readonly kind: "child";
      /** Which of the case's flows. */
      readonly flow: number;
      readonly value: Source;
      readonly waits: boolean;
      readonly failing: Failing;
    }
  | {
      readonly kind: "if";
      readonly value: Source;
      readonly equals: number;
      readonly yes: Block;
      readonly no: Block;
    }
  | {
      readonly kind: "switch";
      readonly value: Source;
      readonly cases: readonly Block[];
      readonly otherwise: Block;
    }
  | {
      readonly kind: "parallel";
      readonly branches: readonly Block[];
      readonly mode: "combine" | "append" | "zip";
    }
  | {
      readonly kind: "for-each";
      readonly items: Items;
      readonly concurrency: number;
      readonly onItemError: "fail" | "continue";
      readonly failing: Failing;
      readonly body: Block;
    }
  | { readonly kind: "while"; readonly rounds: number; readonly failing: Failing; readonly body: Block }
  /** A loop of calls that are never answered, with a timeout of its own. */
  | {
      readonly kind: "late-loop";
      readonly items: number;
      readonly concurrency: number;
      /** Slow and answered, so that some rounds end before the loop does; otherwise the first are never answered. */
      readonly slow: boolean;
      readonly failing: Failing;
    }
  /** A child, a wait or an approval that takes longer than its node may. */
  | { readonly kind: "late-pause"; readonly of: "child" | "wait" | "approval"; readonly failing: Failing }
  /** One branch ends the flow, or fails, while a call of the other one is under way. */
  | { readonly kind: "race"; readonly by: "return" | "fail" | "error"; readonly value: Source }
  | { readonly kind: "return"; readonly value: Source }
  | { readonly kind: "fail" }
  /** A call that is never answered: the run is cancelled, or has no time left. */
  | { readonly kind: "hold" };

export type Items =
  | { readonly of: "list"; readonly values: readonly (number | string)[] }
  /** A permutation that chance makes. */
  | { readonly of: "shuffled"; readonly count: number }
  /** One value where a list is wanted, or none. */
  | { readonly of: "single"; readonly value: number }
  | { readonly of: "nothing" };

export type Block = readonly Step[];

export interface Program {
  readonly steps: Block;
  /** Whether it ends with `return`, or with whatever is last. */
  readonly returns: boolean;
}

export interface Case {
  readonly root: Program;
  readonly children: readonly Program[];
  /** How the run is ended from outside where `root` ends with a hold. */
  readonly ending: "cancel" | "max-duration" | undefined;
  /** Of the run. */
  readonly maxAttempts: number;
}
