import { endpointDeletedAnswer, endpointQuery } from "@millrace/contract/manage/event-endpoints";
import { removeEndpoint } from "../../../operations/events/managed-endpoints.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const deleteEventEndpointRoute = (context: ContextOf<typeof removeEndpoint>) =>
  defineRoute({
    method: "DELETE",
    path: "/manage/event-endpoints/{endpointId}",
    name: "deleteEventEndpoint",
    summary: "Delete an event endpoint and what waits to be sent to it",
    tag: "Manage",
    access: "key",
    role: "admin",
    query: endpointQuery,
    answers: { 200: { description: "It is deleted", schema: endpointDeletedAnswer } },
    errors: ["invalid_id", "organization_access_denied", "event_endpoint_not_found"],
    async handle({ principal, actor, params, query }) {
      const id = params.endpointId!;
      await removeEndpoint(context, principal, actor, id, query);
      return { status: 200, body: { success: true, data: { id, deleted: true } } };
    },
  });
