import { type ClaimedRun, SMALL_PAYLOAD, type UnreadPayload } from "../../domain/run.ts";
import { assumed, bigint, integer, orNull, smallint, text } from "../columns.ts";
import type { RowOf } from "../statement.ts";

/** Of the functions that claim. What runs were started with comes as texts: that of many may be more than there is room for. */
export const CLAIMED_RUN = `organization_id, id, flow_id, version, epoch, attempt, remaining_ms, depth,
  data::text AS data, inputs::text AS inputs, trigger::text AS trigger`;

export const CLAIMED_RUN_COLUMNS = {
  organization_id: assumed(text),
  id: assumed(text),
  flow_id: assumed(text),
  version: assumed(text),
  epoch: assumed(integer),
  attempt: assumed(integer),
  remaining_ms: assumed(bigint),
  depth: assumed(smallint),
  data: orNull(text),
  inputs: orNull(text),
  trigger: orNull(text),
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
    ...payloadOf(row),
  };
}

const PARTS = ["data", "inputs", "trigger"] as const;
type PayloadTexts = Readonly<Record<(typeof PARTS)[number], string | null>>;

function payloadOf({ data, inputs, trigger }: PayloadTexts) {
  return {
    payloadLength: lengthOf(data) + lengthOf(inputs) + lengthOf(trigger),
    data: readSmall(data),
    inputs: readSmall(inputs),
    trigger: readSmall(trigger),
    unread:
      isLarge(data) || isLarge(inputs) || isLarge(trigger)
        ? leaveLarge({ data, inputs, trigger })
        : undefined,
  };
}

function leaveLarge(texts: PayloadTexts): UnreadPayload {
  return Object.fromEntries(PARTS.filter((name) => isLarge(texts[name])).map((name) => [name, texts[name]!]));
}

function readSmall(value: string | null): Record<string, unknown> | undefined {
  if (value === null || isLarge(value)) return undefined;
  return (JSON.parse(value) as Record<string, unknown> | null) ?? undefined;
}

function isLarge(value: string | null): boolean {
  return lengthOf(value) > SMALL_PAYLOAD;
}

function lengthOf(value: string | null): number {
  return value?.length ?? 0;
}
