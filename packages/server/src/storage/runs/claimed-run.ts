import type { ClaimedRun } from "../../domain/run.ts";

export interface ClaimedRow {
  organization_id: string;
  id: string;
  flow_id: string;
  version: string;
  epoch: number;
  attempt: number;
  remaining_ms: number;
  depth: number;
  data: Record<string, unknown> | null;
  inputs: Record<string, unknown> | null;
  trigger: Record<string, unknown> | null;
}

export function toClaimedRun(row: ClaimedRow): ClaimedRun {
  return {
    organizationId: row.organization_id,
    id: row.id,
    flowId: row.flow_id,
    version: row.version,
    epoch: row.epoch,
    attempt: row.attempt,
    remainingMs: row.remaining_ms,
    depth: row.depth,
    data: row.data ?? undefined,
    inputs: row.inputs ?? undefined,
    trigger: row.trigger ?? undefined,
  };
}
