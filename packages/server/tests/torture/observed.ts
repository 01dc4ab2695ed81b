import type { Call } from "./receiver.ts";

/** One run as it came out, in the service or in a dry run. */
export interface ObservedRun {
  readonly at: string;
  readonly runId: string;
  readonly status: string;
  readonly output?: unknown;
  readonly error?: { readonly nodeId?: string | undefined; readonly message: string } | undefined;
  /** By node key; each end of a node that was told. */
  readonly records: ReadonlyMap<string, readonly ObservedRecord[]>;
  /** Workers that were lost while they executed it. */
  readonly losses: number;
}

export interface ObservedRecord {
  readonly status: string;
  readonly attempts: number;
}

export interface Observed {
  /** A dry run knows its own run only, and of the others what they did outside. */
  readonly runs: readonly ObservedRun[];
  readonly knowsChildren: boolean;
  readonly calls: readonly Call[];
  /** What went wrong on the way, whatever came of the runs. */
  readonly faults: readonly string[];
}
