import type { ClaimedRun } from "../../domain/run.ts";
import { assumed, bigint, integer, json, orNull, smallint, text } from "../columns.ts";
import type { RowOf } from "../statement.ts";

/** Of the functions that claim. */
export const CLAIMED_RUN_COLUMNS = {
  organization_id: assumed(text),
  id: assumed(text),
  flow_id: assumed(text),
  version: assumed(text),
  epoch: assumed(integer),
  attempt: assumed(integer),
  remaining_ms: assumed(bigint),
  depth: assumed(smallint),
  data: orNull(json<Record<string, unknown>>()),
  inputs: orNull(json<Record<string, unknown>>()),
  trigger: orNull(json<Record<string, unknown>>()),
};

export function toClaimedRun(row: RowOf<typeof CLAIMED_RUN_COLUMNS>): ClaimedRun {
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
