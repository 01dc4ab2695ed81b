import {
  deliveriesAnswer,
  deliveriesQuery,
  type ManagedDelivery,
} from "@millrace/contract/manage/event-endpoints";
import { type EndpointDelivery, listDeliveries } from "../../../operations/events/managed-deliveries.ts";
import { presentPage } from "../../presenters/list.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const listDeliveriesRoute = (context: ContextOf<typeof listDeliveries>) =>
  defineRoute({
    method: "GET",
    path: "/manage/event-endpoints/{endpointId}/deliveries",
    name: "listDeliveries",
    summary: "List what was sent to an endpoint, newest event first",
    tag: "Manage",
    access: "key",
    role: "viewer",
    query: deliveriesQuery,
    answers: { 200: { description: "A page of deliveries", schema: deliveriesAnswer } },
    errors: ["invalid_id", "organization_access_denied", "event_endpoint_not_found"],
    async handle({ principal, params, query }) {
      const page = await listDeliveries(context, principal, params.endpointId!, query);
      return { status: 200, body: presentPage(page, present) };
    },
  });

function present(delivery: EndpointDelivery): ManagedDelivery {
  const { id, endpointId, state, attempts, nextAt, lastAt, lastStatus, lastFailure, lastMs, createdAt } =
    delivery;
  return {
    eventId: id,
    endpointId,
    state,
    attempts,
    ...(nextAt && { nextAt: nextAt.toISOString() }),
    ...(lastAt && { lastAt: lastAt.toISOString() }),
    ...(lastStatus !== null && { lastStatus }),
    ...(lastFailure !== null && { lastFailure }),
    ...(lastMs !== null && { lastMs }),
    createdAt: createdAt.toISOString(),
  };
}
