import { eventAnswer } from "@millrace/contract/manage/events";
import { type DeliveryRecord, showManagedEvent } from "../../../operations/events/managed-events.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const showEventRoute = (context: ContextOf<typeof showManagedEvent>) =>
  defineRoute({
    method: "GET",
    path: "/manage/events/{eventId}",
    name: "showEvent",
    summary: "Get an event as it is sent, and what became of it at each endpoint",
    tag: "Manage",
    access: "key",
    role: "member",
    answers: { 200: { description: "The event and its deliveries", schema: eventAnswer } },
    errors: ["access_denied", "event_not_found"],
    async handle({ principal, params }) {
      const eventId = params.eventId!;
      const { event, deliveries } = await showManagedEvent(context, principal, eventId);
      const data = { event, deliveries: deliveries.map((delivery) => present(eventId, delivery)) };
      return { status: 200, body: { success: true, data } };
    },
  });

function present(eventId: string, delivery: DeliveryRecord): object {
  const { endpointId, state, attempts, nextAt, lastAt, lastStatus, lastFailure, lastMs } = delivery;
  return {
    eventId,
    endpointId,
    state,
    attempts,
    ...(nextAt && { nextAt: nextAt.toISOString() }),
    ...(lastAt && { lastAt: lastAt.toISOString() }),
    ...(lastStatus !== null && { lastStatus }),
    ...(lastFailure !== null && { lastFailure }),
    ...(lastMs !== null && { lastMs }),
  };
}
