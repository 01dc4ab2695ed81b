import { idTimeMs } from "../../domain/ids.ts";
import { type DeliveryRecord, listDeliveries } from "../../storage/events/list-deliveries.ts";
import { type EventRecord, findEvent } from "../../storage/events/list-events.ts";
import type { Db } from "../../storage/pool.ts";

const SUFFIX_LENGTH = 24;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

export interface ShownEvent {
  readonly event: EventRecord;
  readonly deliveries: DeliveryRecord[];
}

/** An event and what became of it. The id says when to look: that of a run's event begins with the id of the run. */
export async function lookUpEvent(db: Db, id: string): Promise<ShownEvent | undefined> {
  const match = /^evt_([0-9A-Za-z]{24})(\d{6})?$/.exec(id);
  const runId = match?.[2] === undefined ? undefined : `run_${match[1]!.slice(0, SUFFIX_LENGTH)}`;
  const timeMs = match ? idTimeMs(id) : Number.NaN;
  const event = match && (await findEvent(db, { id, runId, ...timeOf(timeMs, runId) }));
  return event ? { event, deliveries: await listDeliveries(db, event.organizationId, id) } : undefined;
}

/** For whoever may see all of them. */
export async function showEvent(db: Db, id: string): Promise<ShownEvent> {
  const shown = await lookUpEvent(db, id);
  if (!shown) throw new Error(`There is no event "${id}"; see: millrace events list`);
  return shown;
}

function timeOf(timeMs: number, runId: string | undefined): { from: Date; to: Date } {
  return {
    from: new Date(timeMs - MINUTE_MS),
    to: new Date(timeMs + (runId === undefined ? 1 : 400) * DAY_MS),
  };
}
