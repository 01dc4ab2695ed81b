import type { EventsQuery } from "@millrace/contract/manage/events";
import { type Page, toPageRequest } from "../../domain/cursor.ts";
import { eventBody } from "../../domain/events/event-body.ts";
import { cursorsOf, toNumber } from "../../domain/number-cursor.ts";
import { organizationFor, type Principal, reaches, requireRole } from "../../domain/principal.ts";
import { Refusal } from "../../domain/refusal.ts";
import { type ListedEvent, listEventPage } from "../../storage/events/list-event-page.ts";
import type { DeliveryRecord } from "../../storage/events/list-deliveries.ts";
import type { Db } from "../../storage/pool.ts";
import { lookUpEvent } from "./find-event.ts";

export type { DeliveryRecord, ListedEvent };

/** What has happened, newest first, while it is kept. A page may be short, and the next one go on, where a filter seldom fits. */
export async function listManagedEvents(
  { db }: { readonly db: Db },
  principal: Principal,
  query: EventsQuery,
): Promise<Page<ListedEvent & { readonly organizationId: string }>> {
  const organizationId = organizationFor(principal, query.organizationId, "viewer");
  const page = toPageRequest("events", query);
  const from = query["filter[from]"];
  const { events, next } = await listEventPage(db, {
    organizationId,
    type: query["filter[type]"],
    since: from === undefined ? undefined : new Date(from),
    below: toNumber(page),
    size: page.size,
  });
  const places = { first: 0, last: next ?? 0, hasMore: next !== undefined };
  const { next: cursor } = cursorsOf(page, places);
  return {
    items: events.map((event) => ({ ...event, organizationId })),
    ...(cursor !== undefined && { next: cursor }),
  };
}

export interface ShownEvent {
  /** As it is sent, but for the link that answers an approval without a key. */
  readonly event: object;
  readonly deliveries: readonly DeliveryRecord[];
}

export async function showManagedEvent(
  { db }: { readonly db: Db },
  principal: Principal,
  eventId: string,
): Promise<ShownEvent> {
  const shown = await lookUpEvent(db, eventId);
  if (!shown || !reaches(principal, shown.event.organizationId))
    throw new Refusal("event_not_found", { messageParams: { eventId } });
  const { event, deliveries } = shown;
  requireRole(principal, event.organizationId, "member");
  return {
    event: JSON.parse(eventBody(event.organizationId, event, () => "(hidden)")) as object,
    deliveries,
  };
}
