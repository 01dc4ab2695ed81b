import type { Value } from "./values.ts";

/** `calm`: only where no worker was lost on the way. */
export type Certainty = "always" | "calm" | "maybe";

export interface Part {
  certainty: Certainty;
}

/** A node's record. */
export interface RecordPart extends Part {
  readonly kind: "record";
  readonly key: string;
  /** One of these; any where it is left out. */
  statuses?: readonly string[] | undefined;
  attempts?: number | undefined;
}

/** Calls that one execution of a node makes at the receiver. */
export interface CallPart extends Part {
  readonly kind: "call";
  /** The run and the node, however often the run is started: `root/s2:s0`. */
  readonly id: string;
  readonly key: string;
  readonly body: Value;
  count: number;
  /** Calls that came before it. */
  readonly after: ReadonlySet<string>;
}

export interface ChildPart extends Part {
  readonly kind: "child";
  readonly key: string;
  /** One run for each attempt. */
  count: number;
  readonly run: RunExpectation;
  /** Whether its parent waits for it; then it is cancelled when the parent goes on or ends without it. */
  readonly waits: boolean;
}

export type Ending = {
  /** It ended a path that leads nowhere: what comes behind does not wait for it. */
  readonly isDead?: boolean;
} & Ended;

type Ended =
  | { readonly kind: "error"; readonly nodeId: string }
  | { readonly kind: "fail"; readonly nodeId: string; readonly message: string }
  | { readonly kind: "return"; readonly value: Value }
  /** From outside. */
  | { readonly kind: "stopped" };

/** What must come of one run. */
export interface RunExpectation {
  /** Names it within its family: `root`, `root/s2[1]`. */
  readonly at: string;
  /** It ended in one of these ways. */
  readonly endings: readonly Ending[];
  readonly parts: readonly (RecordPart | CallPart | ChildPart)[];
  /** Calls that must be over when a run that waits for it goes on. */
  readonly past: ReadonlySet<string>;
}
