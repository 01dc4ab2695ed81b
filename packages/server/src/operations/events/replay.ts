import { type ReplayRange, replayEvents } from "../../storage/events/replay-events.ts";
import type { Db } from "../../storage/pool.ts";
import { showEvent } from "./find-event.ts";

/** Sends events of a time again; how many deliveries that makes. */
export async function replayRange(db: Db, range: ReplayRange): Promise<number> {
  let replayed = 0;
  let after: number | undefined = 0;
  while (after !== undefined) {
    const page = await replayEvents(db, range, after);
    replayed += page.replayed;
    after = page.next;
  }
  return replayed;
}

export async function replayEvent(db: Db, eventId: string, endpointId: string | undefined): Promise<number> {
  const { event } = await showEvent(db, eventId);
  return replayRange(db, {
    organizationId: event.organizationId,
    endpointId,
    eventId,
    since: event.at,
    until: new Date(event.at.getTime() + 1),
    onlyFailed: false,
  });
}
