import type { RunStatus } from "@millrace/contract/run-status";

/** A run that was just changed. */
export interface ChangedRun {
  readonly organizationId: string;
  readonly id: string;
  /** What it has become, where whoever says so knows. */
  readonly status?: RunStatus | undefined;
}
